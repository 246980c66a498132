import type { test as tapTest, Test } from 'tap'
import type { EventLog } from '../../src/store/event-log.ts'
import type { Upcasters } from '../../src/store/upcasters.ts'
import { appendSuite } from './suite-append.ts'
import { listSuite } from './suite-lists.ts'
import { readSuite } from './suite-reads.ts'
import { tendSuite } from './suite-tend.ts'

export interface Store {
  /** As another start of the server would: what was stored before is there. The test closes it, or its end does. */
  open (options?: { logVersion?: number, upcasters?: Upcasters }): Promise<EventLog>
}

/** A store with nothing in it, that goes away with the test. */
export type MakeStore = (t: Test) => Promise<Store>

/** What every home of the event log must do. */
export function eventLogSuite (test: typeof tapTest, makeStore: MakeStore): void {
  appendSuite(test, makeStore)
  readSuite(test, makeStore)
  listSuite(test, makeStore)
  tendSuite(test, makeStore)
}
