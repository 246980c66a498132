import type { TimelineItem } from './timeline.ts'

export const itemKinds = ['all', 'steps', 'calls', 'approvals', 'problems'] as const
export type ItemKind = typeof itemKinds[number]

export function isOfKind (item: TimelineItem, kind: ItemKind): boolean {
  switch (kind) {
    case 'all': return true
    case 'steps': return item.kind === 'step'
    case 'calls': return item.kind === 'call'
    case 'approvals': return item.kind === 'call' && item.rounds.length > 0
    case 'problems': return (item.kind === 'call' && (item.status === 'failed' || item.status === 'denied')) ||
      (item.kind === 'step' && item.incomplete) || (item.kind === 'run' && item.end !== null && item.end.status !== 'completed')
    default: return kind satisfies never
  }
}
