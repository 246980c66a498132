import { byOf, timeOf } from '../i18n/format.ts'
import { t } from '../i18n/text.ts'
import type { LiveOutput } from '../log/log-state.ts'
import { marked } from '../text/marks.ts'
import type { CallItem, Round } from '../timeline/timeline.ts'
import { DiffView } from './diff-view.tsx'

/** All that is known of a call. */
export function CallDetails ({ call, output, onMessage }: { call: CallItem, output: LiveOutput | null, onMessage: (messageId: string) => void }) {
  return (
    <div className='details'>
      <p className='quiet'>
        <time dateTime={call.at}>{timeOf(call.at)}</time>
        {call.startedAt !== null && ` · ${t('started', { time: timeOf(call.startedAt) })}`}
        {call.verified === true && ` · ${t('verified')}`} · <button type='button' className='link' onClick={() => { onMessage(call.messageId) }}>{t('showMessage')}</button>
      </p>
      {call.rounds.map((round) => <RoundLine key={round.round} round={round} />)}
      <h3>{t('arguments')}</h3>
      <pre tabIndex={0}>{marked(JSON.stringify(call.arguments, null, 2))}</pre>
      {output !== null && (
        <>
          <h3>{t('output')}</h3>
          {output.omitted > 0 && <p className='quiet'>{t('omitted', { n: output.omitted })}</p>}
          <pre className='output' tabIndex={0}>{marked(output.text)}</pre>
        </>
      )}
      {call.error !== null && (
        <>
          <h3>{t('error')}</h3>
          <p>{marked(call.error.error)}</p>
          {call.error.suggestion !== null && <p className='quiet'>{call.error.suggestion}</p>}
        </>
      )}
      {call.diff !== null && call.diff !== '' && <><h3>{t('change')}</h3><DiffView diff={call.diff} /></>}
      {call.result !== null && <><h3>{t('result')}</h3><pre tabIndex={0}>{marked(call.result)}</pre></>}
      {call.truncated && <p className='quiet'>{t('truncated')}</p>}
    </div>
  )
}

function RoundLine ({ round }: { round: Round }) {
  const { answer } = round
  return (
    <p className='round'>
      {t('round', { n: round.round })} · {timeOf(round.askedAt)}
      {round.editedBy !== null && ` · ${t('editedArguments', { by: byOf(round.editedBy) })}`}
      {answer === null ? ` · ${t('waiting')}` : ` · ${t(`outcome_${answer.outcome}`, { by: byOf(answer.by) })} ${timeOf(answer.at)}`}
      {answer?.reason !== null && answer?.reason !== undefined && <span className='quiet'> · {t('reasonGiven', { reason: marked(answer.reason) })}</span>}
      {answer?.rule !== null && answer?.rule !== undefined && <span className='quiet'> · {t('ruleAdded', { rule: JSON.stringify(answer.rule) })}</span>}
    </p>
  )
}
