import type { Logger } from 'pino'
import type { Policy } from '../protocol/common.ts'
import type { Models } from '../model/model.ts'
import type { Tool } from '../tools/tool.ts'
import type { Workspaces } from '../workspace/workspace.ts'
import type { Sessions } from './sessions.ts'

/** The moments between two effects at which a test build kills the process. */
export type CrashPoint = 'accepted' | 'answered' | 'planned' | 'decided' | 'started' | 'executed' | 'call_ended' | 'run_ended' |
  'change_noted' | 'change_made' | 'change_told'

/** What the parts of the agent share. */
export interface AgentContext {
  readonly sessions: Sessions
  readonly models: Models
  /** By name; a `Map`, since names come from a model. */
  readonly tools: ReadonlyMap<string, Tool>
  readonly workspaces: Workspaces
  /** The ceiling that no session can raise. */
  readonly serverPolicy: Policy
  /** Of one session. */
  readonly logBytesMax: number
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>
  checkpoint (point: CrashPoint): void
}
