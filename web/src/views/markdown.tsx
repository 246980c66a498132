import { memo, useRef, useState, type ComponentProps } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { t } from '../i18n/text.ts'
import { copyText } from '../text/copy.ts'
import { useToast } from './toast.tsx'

const plugins = [remarkGfm]
const followed = /^(https?:|mailto:)/i

/** Text of a model or a file. HTML in it stays text, nothing is fetched, and only links to pages can be followed. */
export const Markdown = memo(function Markdown ({ text }: { text: string }) {
  return <div className='markdown'><ReactMarkdown remarkPlugins={plugins} components={components}>{text}</ReactMarkdown></div>
})

const components: Components = {
  // The page has its own headings above these.
  h1: 'h3',
  h2: 'h4',
  h3: 'h5',
  h4: 'h6',
  h5: 'h6',
  a: ({ href, children }) => href !== undefined && followed.test(href)
    ? <a href={href} title={href} target='_blank' rel='noopener noreferrer nofollow'>{children}</a>
    : <span>{children}</span>,
  img: ({ alt, src }) => <span className='tag' title={typeof src === 'string' ? src : undefined}>{t('image', { alt: alt ?? '' })}</span>,
  pre: ({ children }) => <Code>{children}</Code>,
  table: ({ children }) => <div className='table' tabIndex={0}><table>{children}</table></div>
}

function Code ({ children }: ComponentProps<'pre'>) {
  const block = useRef<HTMLPreElement>(null)
  const [copied, setCopied] = useState(false)
  const toast = useToast()
  const copy = (): void => {
    // The line break at its end is Markdown's; in a terminal it would run the last line.
    const code = (block.current?.textContent ?? '').replace(/\n$/, '')
    void copyText(code).then((done) => {
      if (!done) {
        toast(t('notCopied'))
        return
      }
      setCopied(true)
      setTimeout(() => { setCopied(false) }, 1_500)
    })
  }
  return (
    <div className='code'>
      <pre ref={block}>{children}</pre>
      <button type='button' onClick={copy}>{t(copied ? 'copied' : 'copy')}</button>
      <span className='offscreen' role='status'>{copied && t('copied')}</span>
    </div>
  )
}
