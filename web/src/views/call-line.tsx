import { t } from '../i18n/text.ts'
import { marked } from '../text/marks.ts'
import type { CallItem, CallStatus } from '../timeline/timeline.ts'

export const callTexts = {
  planned: 'planned', waiting: 'waiting', approved: 'approved', running: 'callRunning', done: 'done', failed: 'failed', denied: 'denied'
} as const satisfies Record<CallStatus, string>

/** A call within a message; it leads to its place in the timeline. */
export function CallLine ({ call, onShow }: { call: CallItem, onShow: (callId: string) => void }) {
  return (
    <button type='button' className='call-line' data-status={call.status} title={t('showCall')} onClick={() => { onShow(call.id) }}>
      <code>{call.tool}</code>
      <span className='target'>{marked(call.target)}</span>
      <span className='status' data-status={call.status}>{t(callTexts[call.status])}</span>
    </button>
  )
}
