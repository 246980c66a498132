import type { AgentService } from '../agent/service.ts'
import type { EventStreams } from '../streams/event-streams.ts'

/** What the routes of the resources work with. */
export interface ResourceOptions {
  readonly service: AgentService
  readonly streams: EventStreams
}
