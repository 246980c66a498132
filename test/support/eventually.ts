import { setTimeout as sleep } from 'node:timers/promises'

/** Polls until `test` holds. @throws Error when it does not within `timeoutMs` */
export async function eventually (test: () => Promise<boolean> | boolean, timeoutMs = 5_000): Promise<void> {
  const end = Date.now() + timeoutMs
  while (!await test()) {
    if (Date.now() > end) throw new Error('it did not come to hold in time')
    await sleep(10)
  }
}
