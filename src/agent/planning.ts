import type { JsonObject, Usage } from '../protocol/common.ts'
import type { SessionEvent } from '../protocol/events.ts'
import type { PlanPrivate } from './decide-calls.ts'
import { addUsage } from './usage.ts'

/** What plans of open calls came to by asking the model, and what that cost: in memory until an event of the call tells it. */
export class Planning {
  readonly #resolved = new Map<string, JsonObject>()
  readonly #spent = new Map<string, Usage>()

  resolved (callId: string): JsonObject | null { return this.#resolved.get(callId) ?? null }

  keep (callId: string, resolved: JsonObject): void { this.#resolved.set(callId, resolved) }

  /** Null: nothing, or an event has told it. */
  spent (callId: string): Usage | null { return this.#spent.get(callId) ?? null }

  spend (callId: string, usage: Usage): void {
    const before = this.#spent.get(callId)
    this.#spent.set(callId, before === undefined ? usage : addUsage(before, usage))
  }

  /** What is committed holds, also where somebody else planned the call with other arguments. */
  take (event: SessionEvent, hidden: object | null): void {
    switch (event.type) {
      case 'approval_required': {
        const { resolved } = (hidden ?? {}) as PlanPrivate // written by `approvalRequired`
        if (resolved === undefined) this.#resolved.delete(event.callId)
        else this.#resolved.set(event.callId, resolved)
        break
      }
      case 'tool_call_start': break
      case 'tool_call_end': this.#resolved.delete(event.callId); break
      default: return
    }
    if (event.usage !== undefined) this.#spent.delete(event.callId)
  }
}
