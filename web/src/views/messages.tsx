import { memo } from 'react'
import type { EventOf } from '../api/types.ts'
import { durationOf, lineOf, timeOf, tokensOf } from '../i18n/format.ts'
import { t } from '../i18n/text.ts'
import type { Said } from '../log/conversation.ts'
import type { LiveMessage } from '../log/log-state.ts'
import { blocksOf } from '../text/blocks.ts'
import type { CallItem } from '../timeline/timeline.ts'
import { CallLine } from './call-line.tsx'
import { Markdown } from './markdown.tsx'

export const UserMessage = memo(function UserMessage ({ said, marked }: { said: Extract<Said, { kind: 'user' }>, marked: boolean }) {
  return (
    <article className='message user' data-marked={marked} aria-label={t('you')}>
      <p className='plain-text'>{said.text}</p>
      <footer className='quiet'>{said.queued && <span className='tag'>{t('queued')}</span>} {said.by} <time dateTime={said.at}>{timeOf(said.at)}</time></footer>
    </article>
  )
})

interface AssistantProps { said: Extract<Said, { kind: 'assistant' }>, calls: ReadonlyArray<CallItem | undefined>, marked: boolean, onCall: (callId: string) => void }

export function AssistantMessage ({ said, calls, marked, onCall }: AssistantProps) {
  return (
    <article className='message agent' data-marked={marked} aria-label={t('agent')}>
      {said.reasoning !== '' && <Reasoning text={said.reasoning} />}
      {said.text !== '' && <Markdown text={said.text} />}
      {calls.map((call) => call !== undefined && <CallLine key={call.id} call={call} onShow={onCall} />)}
      {said.incomplete && <p className='quiet'>{t('cut')}</p>}
    </article>
  )
}

/** The answer as it comes; its finished blocks are not read again. */
export function LiveAnswer ({ message, retry, waiting }: { message: LiveMessage | null, retry: EventOf<'retry'> | null, waiting: boolean }) {
  if (retry !== null) {
    return <p className='notice' role='status'>{t('retrying', { detail: retry.detail, n: retry.attempt + 1, s: Math.round(retry.delayMs / 1_000) })}</p>
  }
  const call = message?.calls.at(-1)
  return (
    <article className='message agent live' aria-label={t('agent')} aria-busy='true'>
      {message !== null && message.reasoning !== '' && <Reasoning text={message.reasoning} open={message.text === ''} />}
      {message !== null && message.text !== '' && blocksOf(message.text).map((block, index) => <Markdown key={index} text={block} />)}
      {!waiting && <p className='quiet pulse'>{call !== undefined ? t('writesCall', { tool: call.tool }) : message !== null && message.text === '' ? t('thinking') : t('working')}</p>}
    </article>
  )
}

function Reasoning ({ text, open = false }: { text: string, open?: boolean }) {
  return (
    <details className='reasoning' open={open}>
      <summary>{t('reasoning')}</summary>
      <p className='plain-text'>{text}</p>
    </details>
  )
}

export const RunEnd = memo(function RunEnd ({ end }: { end: EventOf<'run_end'> }) {
  if (end.status === 'failed') {
    return (
      <div className='notice problem' role='note'>
        <strong>{t('runFailed')}</strong> {end.error?.detail}
        {end.error?.suggestion !== null && end.error?.suggestion !== undefined && <p>{end.error.suggestion}</p>}
        <p className='quiet'><code>{end.error?.code}</code> · {figuresOf(end)}</p>
      </div>
    )
  }
  return <p className='run-end quiet'>{t(end.status === 'cancelled' ? 'runCancelled' : 'runCompleted', { figures: figuresOf(end) })}</p>
})

function figuresOf ({ durationMs, steps, usage }: EventOf<'run_end'>): string {
  return lineOf(durationOf(durationMs), steps === 1 ? t('steps1') : t('stepsN', { n: steps }), tokensOf(usage))
}
