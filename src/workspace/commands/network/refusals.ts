import { networkRefusalsShown } from '../../../limits.ts'

/** What a command could not reach, each once and in words: its model is told, since programs seldom say. */
export class Refusals {
  readonly #lines = new Set<string>()
  #more = 0

  /** `what` must be safe to show: canonical hosts are. */
  add (what: string, reason: string): void {
    const line = `${what} (${reason})`
    if (this.#lines.has(line)) return
    if (this.#lines.size < networkRefusalsShown) this.#lines.add(line)
    else this.#more++
  }

  list (): string[] {
    return this.#more === 0 ? [...this.#lines] : [...this.#lines, `${this.#more} more`]
  }
}
