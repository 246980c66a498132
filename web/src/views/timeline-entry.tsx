import { memo, type ReactNode } from 'react'
import { byOf, durationOf, lineOf, timeOf, tokensOf } from '../i18n/format.ts'
import { t } from '../i18n/text.ts'
import type { LiveOutput } from '../log/log-state.ts'
import { marked } from '../text/marks.ts'
import type { OtherItem, RunItem, TimelineItem } from '../timeline/timeline.ts'
import { CallDetails } from './call-details.tsx'
import { callTexts } from './call-line.tsx'

interface TimelineEntryProps {
  item: TimelineItem
  output: LiveOutput | null
  open: boolean
  marked: boolean
  onToggle: (id: string) => void
  onMessage: (messageId: string) => void
}

export const TimelineEntry = memo(function TimelineEntry ({ item, output, open, marked: isMarked, onToggle, onMessage }: TimelineEntryProps) {
  switch (item.kind) {
    case 'message': return (
      <Entry item={item} dot='message' onShow={() => { onMessage(item.id) }}>
        <strong>{item.by.name ?? t('you')}</strong> <span className='ellipsis'>{item.text}</span>
      </Entry>
    )
    case 'step': return (
      <Entry item={item} dot='step' onShow={() => { onMessage(item.id) }}>
        <strong>{t('step', { n: item.number })}</strong> <span className='quiet'>{lineOf(item.model, durationOf(item.durationMs), tokensOf(item.usage))}</span>
      </Entry>
    )
    case 'call': return (
      <div className='entry call' data-status={item.status} data-marked={isMarked}>
        <button type='button' className='line' aria-expanded={open} onClick={() => { onToggle(item.id) }}>
          <code>{item.tool}</code> <span className='target'>{marked(item.target)}</span>
          <span className='status' data-status={item.status}>{t(callTexts[item.status])}</span>
          {item.status !== 'waiting' && <span className='when quiet'>{item.durationMs === null ? timeOf(item.at) : durationOf(item.durationMs)}</span>}
        </button>
        {output !== null && !open && <pre className='output short'>{marked(output.text.slice(-400))}</pre>}
        {open && <CallDetails call={item} output={output} onMessage={onMessage} />}
      </div>
    )
    case 'run': return <Entry item={item} dot={item.end?.status ?? 'run'} onShow={null}>{runText(item)}</Entry>
    case 'other': return <Entry item={item} dot='other' onShow={null}><span className='ellipsis'>{otherText(item)}</span></Entry>
    default: return item satisfies never
  }
})

function Entry ({ item, dot, children, onShow }: { item: TimelineItem, dot: string, children: ReactNode, onShow: (() => void) | null }) {
  const time = <time className='when quiet' dateTime={item.at}>{timeOf(item.at)}</time>
  return onShow === null
    ? <div className='entry' data-dot={dot}><div className='line'>{children}{time}</div></div>
    : <div className='entry' data-dot={dot}><button type='button' className='line' title={t('showMessage')} onClick={onShow}>{children}{time}</button></div>
}

function runText ({ change, by, reason, end }: RunItem): string {
  switch (change) {
    case 'resumed': return t('resumed')
    case 'cancel_requested': return t('cancelRequested', { by: by === null ? '' : byOf(by) }) + (reason === null ? '' : ` · ${reason}`)
    case 'ended': return end === null ? '' : lineOf(t('runEnded', { status: end.status === 'completed' ? t('done') : end.status === 'failed' ? t('failed') : t('stopped') }), durationOf(end.durationMs), tokensOf(end.usage))
    default: return change satisfies never
  }
}

function otherText ({ event }: OtherItem): string {
  switch (event.type) {
    case 'session_update': return t('updated', { by: byOf(event.by) })
    case 'files_changed': return t('filesChanged', { by: byOf(event.by), paths: event.paths.join(', ') })
    case 'compaction': return t('compacted')
    default: return event satisfies never
  }
}
