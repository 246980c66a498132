import { createHash } from 'node:crypto'

const longestId = 40 // what OpenAI takes

/**
 * The ids of calls on the wire to one provider, for one request. Given out in the order of the conversation,
 * so an id never changes when the conversation grows.
 */
export class CallIds {
  readonly #form: 'any' | 'nine_alphanumeric'
  readonly #used = new Set<string>()
  readonly #byCallId = new Map<string, string>()

  constructor (form: 'any' | 'nine_alphanumeric') {
    this.#form = form
  }

  /** The id for a call: the model's own, if it is usable and new in this request, else one made of ours. */
  assign (callId: string, own: string | undefined): string {
    const id = own !== undefined && own !== '' && this.#fits(own) && !this.#used.has(own) ? own : this.#derive(callId)
    this.#used.add(id)
    this.#byCallId.set(callId, id)
    return id
  }

  /** The id for a result: that of its call. */
  of (callId: string): string {
    return this.#byCallId.get(callId) ?? this.assign(callId, undefined)
  }

  #fits (id: string): boolean {
    return this.#form === 'any' || /^[A-Za-z0-9]{9}$/.test(id)
  }

  #derive (callId: string): string {
    if (this.#form === 'any' && callId.length <= longestId && !this.#used.has(callId)) return callId
    const length = this.#form === 'any' ? 24 : 9
    for (let round = 0; ; round++) {
      const hash = createHash('sha256').update(`${round}:${callId}`).digest('hex').slice(0, length)
      if (!this.#used.has(hash)) return hash
    }
  }
}
