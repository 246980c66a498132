/** Gathers what is written in one turn of the event loop: a thousand small frames cost one write a stream. */
export class Flusher {
  #waiting: Array<() => void> = []
  #spare: Array<() => void> = []

  /** Calls `flush` once at the end of this turn. It must not throw. */
  add (flush: () => void): void {
    if (this.#waiting.push(flush) === 1) setImmediate(this.#run)
  }

  readonly #run = (): void => {
    const due = this.#waiting
    this.#waiting = this.#spare
    for (const flush of due) flush()
    due.length = 0
    this.#spare = due
  }
}
