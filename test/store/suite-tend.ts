import type { test as tapTest } from 'tap'
import { anEvent, appendTo, at } from './sample.ts'
import type { MakeStore } from './suite.ts'

export function tendSuite (test: typeof tapTest, makeStore: MakeStore): void {
  test('after a restart the sessions with something to do are found, in pages', async (t) => {
    const log = await (await makeStore(t)).open()
    for (const id of ['e', 'a', 'd', 'c', 'b']) await log.append(appendTo(`ses_${id}`, 0, { head: { unsettled: id !== 'c' } }))
    await log.append(appendTo('ses_b', 1, { head: { unsettled: false } }))
    await log.append(appendTo('ses_d', 1, { head: { ended: true } }))
    t.same(await log.listUnsettled(null, 2), ['ses_a', 'ses_d'])
    t.same(await log.listUnsettled('ses_d', 2), ['ses_e'])
    t.same(await log.listUnsettled('ses_e', 2), [])
  })

  test('the next expiry of all is known, and who has expired', async (t) => {
    const log = await (await makeStore(t)).open()
    const day = (n: number) => `2026-02-0${n}T00:00:00.000Z`
    for (const n of [4, 2, 3]) await log.append(appendTo(`ses_${n}`, 0, { head: { nextExpiryAt: day(n) } }))
    await log.append(appendTo('ses_none', 0))
    t.equal(await log.nextExpiryAt(), day(2))
    t.same(await log.listExpired('2026-02-01T23:59:59.999Z', 10), [])
    t.same((await log.listExpired(day(3), 10)).toSorted(), ['ses_2', 'ses_3'])
    t.same(await log.listExpired(day(9), 1), ['ses_2'], 'the oldest first')
    await log.append(appendTo('ses_2', 1, { head: { nextExpiryAt: null } }))
    t.equal(await log.nextExpiryAt(), day(3))
  })

  test('a purge goes in bounded steps that a restart continues, and takes nothing else', async (t) => {
    const store = await makeStore(t)
    let log = await store.open()
    const parts = (id: string) => ({
      runs: [{ runId: `run_${id}`, sessionId: `ses_${id}`, status: 'completed', summary: '{}' }] as const,
      approvals: [{ callId: `call_${id}`, sessionId: `ses_${id}`, runId: `run_${id}`, team: null, status: 'denied', requiredSeq: 1, argumentsSeq: 1, summary: '{}' }] as const
    })
    for (const id of ['a', 'b', 'c']) await log.append(appendTo(`ses_${id}`, 0, { count: 25, head: { metadata: { k: 'v' } }, ...parts(id) }))
    await log.append(appendTo('ses_b', 25, { head: { ended: true } }))

    t.equal(await log.purge('ses_b', 10), false)
    t.equal(await log.readEvent('ses_b', 10), null)
    t.equal((await log.readEvent('ses_b', 11))?.seq, 11)
    await log.close()
    log = await store.open()
    t.same(await log.listUnsettled(null, 10), ['ses_b'], 'the restart finds it')
    let unfinished = 1
    while (!await log.purge('ses_b', 10)) {
      unfinished++
      t.ok((await log.readHead('ses_b'))?.ended, 'the head goes last')
    }
    t.equal(unfinished, 2, '25 events and what lists them: the third step is the last')
    t.equal(await log.readHead('ses_b'), null)
    t.equal(await log.readRun('run_b'), null)
    t.equal(await log.readApproval('call_b'), null)
    t.equal(await log.purge('ses_b', 10), true)
    for (const id of ['a', 'c']) {
      t.equal((await log.readEvents(`ses_${id}`, { after: 0, limit: 100, maxBytes: 1 << 20 })).length, 25)
      t.equal((await log.readRun(`run_${id}`))?.runId, `run_${id}`)
      t.equal((await log.readApproval(`call_${id}`))?.callId, `call_${id}`)
    }
    t.same(await log.append(appendTo('ses_d', 0, { events: [anEvent('ses_d', 1)] })), { status: 'appended' })
    t.equal((await log.readEvents('ses_d', { after: 0, limit: 100, maxBytes: 1 << 20 })).length, 1, 'a new session inherits nothing')
  })

  test('a session that has not ended is not purged', async (t) => {
    const log = await (await makeStore(t)).open()
    await log.append(appendTo('ses_1', 0, { count: 3 }))
    await t.rejects(log.purge('ses_1', 10), /has not ended/)
    t.equal((await log.readEvents('ses_1', { after: 0, limit: 100, maxBytes: 1 << 20 })).length, 3)
  })

  test('old idempotency rows are forgotten, so many at a time', async (t) => {
    const log = await (await makeStore(t)).open()
    for (let i = 1; i <= 6; i++) {
      await log.append(appendTo(`ses_${i}`, 0, { idempotency: { scope: 'me', key: `k${i}`, fingerprint: 'f', sessionId: `ses_${i}`, runId: null, createdAt: `2026-01-02T00:00:0${i}.000Z` } }))
    }
    t.equal(await log.forgetIdempotent('2026-01-02T00:00:05.000Z', 3), 3)
    t.equal(await log.forgetIdempotent('2026-01-02T00:00:05.000Z', 3), 1)
    t.equal(await log.forgetIdempotent('2026-01-02T00:00:05.000Z', 3), 0)
    t.equal(await log.findIdempotent('me', 'k4', at), null)
    t.match(await log.findIdempotent('me', 'k5', at), { sessionId: 'ses_5' })
  })
}
