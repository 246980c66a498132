/** A slot that is held; `release` may be called again. */
export interface Slot { release (): void }

interface Waiting { readonly key: string, start (): void }

/** At most `total` holders at once, and one for each key; who waits longest goes first. */
export class Slots {
  readonly #total: number
  readonly #held = new Set<string>()
  #waiting: Waiting[] = []

  constructor (total: number) {
    this.#total = total
  }

  /** Rejects with the signal's reason when it aborts first. */
  async take (key: string, signal: AbortSignal): Promise<Slot> {
    signal.throwIfAborted()
    if (this.#isFree(key) && !this.#waiting.some((other) => other.key === key)) return this.#hold(key)
    return await new Promise<Slot>((resolve, reject) => {
      const onAbort = (): void => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting)
        reject(signal.reason)
      }
      const waiting: Waiting = {
        key,
        start: () => {
          signal.removeEventListener('abort', onAbort)
          resolve(this.#hold(key))
        }
      }
      signal.addEventListener('abort', onAbort, { once: true })
      this.#waiting.push(waiting)
    })
  }

  #isFree (key: string): boolean {
    return this.#held.size < this.#total && !this.#held.has(key)
  }

  #hold (key: string): Slot {
    this.#held.add(key)
    let held = true
    return {
      release: () => {
        if (!held) return
        held = false
        this.#held.delete(key)
        this.#startNext()
      }
    }
  }

  #startNext (): void {
    const next = this.#waiting.find(({ key }) => this.#isFree(key))
    if (next === undefined) return
    this.#waiting = this.#waiting.filter((other) => other !== next)
    next.start()
  }
}
