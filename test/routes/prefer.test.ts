import { test } from 'tap'
import { preferenceApplied, readPrefer } from '../../src/routes/prefer.ts'

const table: Array<[header: string | undefined, respondAsync: boolean, waitMs: number | null, applied: string | null]> = [
  [undefined, false, null, null],
  ['respond-async', true, null, 'respond-async'],
  ['wait=10', false, 10_000, 'wait=10'],
  ['Respond-Async, WAIT = "5"', true, 5_000, 'wait=5'],
  ['wait=0', false, 0, 'wait=0'],
  ['wait=1, wait=2', false, 1_000, 'wait=1'],
  ['wait=99999999', false, 600_000, 'wait=600'],
  ['wait=soon, return=minimal; x=1', false, null, null],
  ['respond-async; x=1, wait=3', true, 3_000, 'wait=3']
]

for (const [header, respondAsync, waitMs, applied] of table) {
  test(`Prefer: ${header ?? '(none)'}`, async (t) => {
    const preferences = readPrefer(header)
    t.same(preferences, { respondAsync, waitMs })
    t.equal(preferenceApplied(preferences), applied)
  })
}
