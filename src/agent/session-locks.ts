/** Work on the files of one session, one after the other; of different sessions side by side. */
export class SessionLocks {
  readonly #last = new Map<string, Promise<void>>()

  async run<T> (sessionId: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(sessionId) ?? Promise.resolve()
    const result = before.then(work)
    const done = result.then(() => {}, () => {})
    this.#last.set(sessionId, done)
    void done.then(() => { if (this.#last.get(sessionId) === done) this.#last.delete(sessionId) })
    return await result
  }
}
