import { useEffect, useRef, useState } from 'react'
import type { Approval } from '../api/types.ts'
import { byOf } from '../i18n/format.ts'
import { t } from '../i18n/text.ts'
import type { CallItem } from '../timeline/timeline.ts'
import { Decision } from './decision.tsx'
import { useToast } from './toast.tsx'

interface DecisionsProps { pending: readonly Approval[], calls: ReadonlyMap<string, CallItem>, onDecided: () => void }

/** The questions of a session, one in sight. What somebody else decides is said, and its question goes. */
export function Decisions ({ pending, calls, onDecided }: DecisionsProps) {
  const [chosen, setChosen] = useState<string | null>(null)
  const mine = useRef(new Set<string>()) // by call and round: what follows on changed arguments may be another's
  const known = useRef<readonly Approval[]>([])
  const toast = useToast()
  useEffect(() => {
    const gone = known.current.filter(({ callId }) => !pending.some((approval) => approval.callId === callId))
    // Who decided stands in the log, which may come a moment later than the list of questions.
    const settled = gone.filter(({ callId }) => calls.get(callId)?.rounds.at(-1)?.answer !== null && calls.has(callId))
    for (const { callId, tool } of settled) {
      const round = calls.get(callId)?.rounds.at(-1)
      const answer = round?.answer
      if (answer !== null && answer !== undefined && !mine.current.has(`${callId} ${round?.round}`)) toast(t('decidedElsewhere', { tool, outcome: t(`outcome_${answer.outcome}`, { by: byOf(answer.by) }) }))
    }
    known.current = [...pending, ...gone.filter((approval) => !settled.includes(approval))]
  }, [pending, calls, toast])
  const place = Math.max(0, pending.findIndex(({ callId }) => callId === chosen))
  const approval = pending[place]
  const waiting = useRef(false)
  useEffect(() => {
    // The button that had the focus is gone: keys go on where the answer appears.
    if (waiting.current && pending.length === 0 && document.activeElement === document.body) document.querySelector<HTMLElement>('.talk .scroller')?.focus({ preventScroll: true })
    waiting.current = pending.length > 0
  }, [pending.length])
  const said = <p className='offscreen' role='status'>{pending.length > 0 && t('waitingCount', { n: pending.length })}</p>
  if (approval === undefined) return said
  const tellLate = ({ tool, status, by }: Approval): void => {
    if (status !== 'pending' && by !== null) toast(t('decidedElsewhere', { tool, outcome: t(`outcome_${status}`, { by: byOf(by) }) }))
  }
  const move = (by: number): void => { setChosen(pending[(place + by + pending.length) % pending.length]?.callId ?? null) }
  return (
    <>
      {said}
      <Decision
        key={`${approval.callId} ${approval.round}`} approval={approval} call={calls.get(approval.callId) ?? null} place={place} of={pending.length} onMove={move}
        onMine={() => { mine.current.add(`${approval.callId} ${approval.round}`) }} onLate={tellLate} onDecided={onDecided}
      />
    </>
  )
}
