import type { Session, SessionEvent } from '../api/types.ts'
import { t } from '../i18n/text.ts'
import type { LiveOutput } from '../log/log-state.ts'
import type { TimelineItem } from '../timeline/timeline.ts'
import { Files } from './files.tsx'
import type { Jump } from './session-page.tsx'
import { Timeline } from './timeline.tsx'

/** What a narrow window shows; a wide one shows the conversation always. */
export type Pane = 'talk' | 'timeline' | 'files'

interface SidePanelProps {
  sessionId: string
  session: Session | null
  pane: Pane
  onPane: (pane: Pane) => void
  events: readonly SessionEvent[]
  timeline: readonly TimelineItem[]
  outputs: ReadonlyMap<string, LiveOutput>
  jump: Jump | null
  onMessage: (messageId: string) => void
}

export function SidePanel ({ sessionId, session, pane, onPane, events, timeline, outputs, jump, onMessage }: SidePanelProps) {
  const files = pane === 'files'
  return (
    <aside className='side' aria-label={t(files ? 'files' : 'timeline')}>
      <h2 className='offscreen'>{t(files ? 'files' : 'timeline')}</h2>
      <div className='side-tabs' role='group' aria-label={t('filter')}>
        <button type='button' aria-pressed={!files} onClick={() => { onPane('timeline') }}>{t('timeline')}</button>
        <button type='button' aria-pressed={files} onClick={() => { onPane('files') }}>{t('files')}</button>
      </div>
      {files
        ? <Files sessionId={sessionId} settled={session?.status === 'running' ? 0 : events.length} />
        : <Timeline sessionId={sessionId} events={events} items={timeline} outputs={outputs} jump={jump} onMessage={onMessage} />}
    </aside>
  )
}
