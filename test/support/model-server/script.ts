import type { ChatRequest, RecordedRequest, Reply } from './reply.ts'

const recordedMax = 5_000

/** The replies that are still to come, the gates, and what was asked so far. */
export class Script {
  #default: Reply[] = []
  #fallback: Reply | null = null
  #rounds = new Map<Reply, number>()
  readonly #keyed = new Map<string, Reply[]>()
  readonly requests: RecordedRequest[] = []
  #waiting: Array<() => void> = []
  #released = 0

  add (replies: readonly Reply[], when: string | null): void {
    if (when === null) this.#default.push(...replies)
    else this.#keyed.set(when, [...this.#keyed.get(when) ?? [], ...replies])
  }

  setFallback (reply: Reply | null): void {
    this.#fallback = reply
  }

  record (request: RecordedRequest): void {
    if (this.requests.length >= recordedMax) this.requests.shift()
    this.requests.push(request)
  }

  /** The next reply to `body`, and which of its repeats it is; null when the script is exhausted. */
  next (body: ChatRequest | null): { reply: Reply, round: number } | null {
    const asked = JSON.stringify(turnsOf(body).findLast((turn) => turn.role === 'user' && !JSON.stringify(turn.content).startsWith('[{"type":"tool_result"'))?.content ?? '')
    const key = [...this.#keyed.keys()].find((key) => asked.includes(JSON.stringify(key).slice(1, -1)) && (this.#keyed.get(key)?.length ?? 0) > 0)
    const queue = (key === undefined ? undefined : this.#keyed.get(key)) ?? this.#default
    const reply = queue[0] ?? this.#fallback
    if (reply === null) return null
    const round = (this.#rounds.get(reply) ?? 0) + 1
    this.#rounds.set(reply, round)
    if (round >= (reply.repeat ?? 1)) queue.shift()
    return { reply, round }
  }

  /** Opens the gates that are closed, or else the next one. */
  release (): void {
    if (this.#waiting.length === 0) this.#released++
    for (const open of this.#waiting.splice(0)) open()
  }

  gate (): Promise<void> {
    if (this.#released > 0) {
      this.#released--
      return Promise.resolve()
    }
    return new Promise((resolve) => { this.#waiting.push(resolve) })
  }

  reset (): void {
    this.#default = []
    this.#fallback = null
    this.#rounds = new Map()
    this.#keyed.clear()
    this.requests.length = 0
    this.#released = 0
    for (const open of this.#waiting.splice(0)) open()
  }
}

/** The conversation of a request, in whatever dialect. */
function turnsOf (body: ChatRequest | null): ReadonlyArray<{ readonly role?: string, readonly content?: unknown }> {
  const turns = body?.messages ?? body?.['input']
  return Array.isArray(turns) ? turns : []
}
