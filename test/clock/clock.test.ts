import { test } from 'tap'
import { steadyClock } from '../../src/clock.ts'

test('the clock follows the system, and goes on at its pace while the system is set back', (t) => {
  const time = { wall: Date.parse('2030-01-01T12:00:00.000Z'), elapsed: 0 }
  const now = steadyClock(() => time.wall, () => time.elapsed)
  const after = (elapsedMs: number, wallMs: number): string => {
    time.elapsed += elapsedMs
    time.wall += wallMs
    return now()
  }
  t.equal(after(0, 0), '2030-01-01T12:00:00.000Z')
  t.equal(after(1_000, 1_000), '2030-01-01T12:00:01.000Z')
  t.equal(after(500, -3_600_000), '2030-01-01T12:00:01.500Z', 'set back by an hour')
  t.equal(after(0, 0), '2030-01-01T12:00:01.500Z', 'never backwards')
  t.equal(after(1_000, 3_600_500), '2030-01-01T12:00:02.500Z', 'caught up')
  t.equal(after(1_000, 86_400_000), '2030-01-02T12:00:01.500Z', 'set forward, or asleep: time has passed')
  t.end()
})
