import type { test as tapTest } from 'tap'
import { anEvent, appendTo, at } from './sample.ts'
import type { MakeStore } from './suite.ts'

const everything = { after: 0, limit: 1_000, maxBytes: 64 << 20 }

export function appendSuite (test: typeof tapTest, makeStore: MakeStore): void {
  test('what was appended is there again after a restart, to the byte', async (t) => {
    const store = await makeStore(t)
    const log = await store.open()
    const events = [
      anEvent('ses_1', 1, { type: 'session_start' }),
      anEvent('ses_1', 2, { type: 'user_message', runId: 'run_1', json: '{"text":"é 💧 \\u2028 \\u0000"}', private: '{"signature":"…"}' })
    ]
    const append = appendTo('ses_1', 0, {
      events,
      head: { team: 'blue', externalId: 'ext', status: 'awaiting_approval', unsettled: true, nextExpiryAt: at, metadata: { 'a.b': 'ü' }, state: '{"é":1}' },
      runs: [{ runId: 'run_1', sessionId: 'ses_1', status: 'awaiting_approval', summary: '{"r":1}' }],
      approvals: [{
        callId: 'call_1', sessionId: 'ses_1', runId: 'run_1', team: 'blue', status: 'pending', requiredSeq: 2, argumentsSeq: 1, summary: '{"a":1}'
      }],
      idempotency: { scope: 'me', key: 'k', fingerprint: 'f', sessionId: 'ses_1', runId: 'run_1', createdAt: at }
    })
    t.same(await log.append(append), { status: 'appended' })
    await log.close()

    const again = await store.open()
    t.same(await again.readEvents('ses_1', everything), events)
    t.same(await again.readEvent('ses_1', 2), events[1])
    const logBytes = events.reduce((sum, event) => sum + Buffer.byteLength(event.json) + Buffer.byteLength(event.private ?? ''), 0)
    t.same(await again.readHead('ses_1'), { ...append.head, logBytes })
    t.same(await again.findExternal('blue', 'ext'), append.head)
    t.same(await again.readRun('run_1'), append.runs[0])
    t.same(await again.readApproval('call_1'), append.approvals[0])
    t.same(await again.findIdempotent('me', 'k', at), append.idempotency)
  })

  test('what is not there is null, empty or nothing', async (t) => {
    const log = await (await makeStore(t)).open()
    t.equal(await log.readHead('ses_1'), null)
    t.equal(await log.findExternal(null, 'x'), null)
    t.same(await log.readEvents('ses_1', everything), [])
    t.equal(await log.readEvent('ses_1', 1), null)
    t.equal(await log.readRun('run_1'), null)
    t.equal(await log.readApproval('call_1'), null)
    t.equal(await log.findIdempotent('me', 'k', at), null)
    t.equal(await log.nextExpiryAt(), null)
    t.same(await log.listUnsettled(null, 10), [])
  })

  test('an append changes the head, the run and the approval that are there', async (t) => {
    const log = await (await makeStore(t)).open()
    const approval = { callId: 'call_1', sessionId: 'ses_1', runId: 'run_1', team: null, requiredSeq: 1, argumentsSeq: 1 }
    await log.append(appendTo('ses_1', 0, {
      head: { status: 'running', unsettled: true, metadata: { a: '1' } },
      runs: [{ runId: 'run_1', sessionId: 'ses_1', status: 'running', summary: '1' }],
      approvals: [{ ...approval, status: 'pending', summary: '1' }]
    }))
    // The same statuses with other contents, then other statuses: a home may treat these apart.
    for (const [seq, runStatus, approvalStatus] of [[1, 'running', 'pending'], [2, 'completed', 'denied']] as const) {
      const append = appendTo('ses_1', seq, {
        head: { status: seq === 1 ? 'running' : 'idle', unsettled: seq === 1, metadata: { a: '1' }, state: `{"v":${seq}}`, updatedAt: `2026-01-0${seq + 2}T00:00:00.000Z` },
        runs: [{ runId: 'run_1', sessionId: 'ses_1', status: runStatus, summary: `run ${seq}` }],
        approvals: [{ ...approval, status: approvalStatus, requiredSeq: seq + 1, argumentsSeq: seq, summary: `approval ${seq}` }]
      })
      t.same(await log.append(append), { status: 'appended' })
      t.match(await log.readHead('ses_1'), append.head)
      t.same(await log.readRun('run_1'), append.runs[0])
      t.same(await log.readApproval('call_1'), append.approvals[0])
    }
  })

  test('a head is refreshed without an event', async (t) => {
    const log = await (await makeStore(t)).open()
    await log.append(appendTo('ses_1', 0, { count: 2 }))
    t.same(await log.append(appendTo('ses_1', 2, { count: 0, head: { stateVersion: 2, state: '[]' } })), { status: 'appended' })
    t.match(await log.readHead('ses_1'), { seq: 2, stateVersion: 2, state: '[]' })
  })

  test('an append to a log that has moved, is not there, or is there already is a conflict and stores nothing', async (t) => {
    const log = await (await makeStore(t)).open()
    await log.append(appendTo('ses_1', 0, { count: 3 }))
    const runs = [{ runId: 'run_1', sessionId: 'ses_1', status: 'queued', summary: '{}' }] as const
    const idempotency = { scope: 'me', key: 'k', fingerprint: 'f', sessionId: 'ses_1', runId: null, createdAt: at }
    for (const seq of [0, 1, 2, 4]) {
      t.same(await log.append(appendTo('ses_1', seq, { runs, idempotency, head: { state: 'new' } })), { status: 'conflict' }, `expected ${seq}`)
    }
    t.same(await log.append(appendTo('ses_2', 1, { runs })), { status: 'conflict' })
    t.equal((await log.readEvents('ses_1', everything)).length, 3)
    t.match(await log.readHead('ses_1'), { seq: 3, state: '{}' })
    t.equal(await log.readHead('ses_2'), null)
    t.equal(await log.readRun('run_1'), null)
    t.equal(await log.findIdempotent('me', 'k', at), null)
  })

  test('of many appends at the same seq one wins', async (t) => {
    const log = await (await makeStore(t)).open()
    await log.append(appendTo('ses_1', 0))
    const results = await Promise.all(Array.from({ length: 20 }, (_, i) => log.append(appendTo('ses_1', 1, { head: { state: String(i) } }))))
    t.equal(results.filter(({ status }) => status === 'appended').length, 1)
    t.equal(results.filter(({ status }) => status === 'conflict').length, 19)
    t.match(await log.readHead('ses_1'), { seq: 2, state: String(results.findIndex(({ status }) => status === 'appended')) })
  })

  test('appends of one session that are sent without waiting resolve in the order of the log', async (t) => {
    const log = await (await makeStore(t)).open()
    const order: number[] = []
    await Promise.all(Array.from({ length: 500 }, async (_, seq) => {
      const { status } = await log.append(appendTo('ses_1', seq))
      if (status === 'appended') order.push(seq)
    }))
    t.same(order, Array.from({ length: 500 }, (_, seq) => seq))
  })

  test('sessions that append at the same time get a log each, without gaps', async (t) => {
    const log = await (await makeStore(t)).open()
    const names = Array.from({ length: 40 }, (_, i) => `ses_${i}`)
    await Promise.all(names.map(async (name) => {
      for (let seq = 0; seq < 30; seq += 3) await log.append(appendTo(name, seq, { count: 3 }))
    }))
    for (const name of names) {
      const seqs = (await log.readEvents(name, everything)).map(({ seq, json }) => [seq, json])
      t.same(seqs, Array.from({ length: 30 }, (_, i) => [i + 1, anEvent(name, i + 1).json]))
    }
  })

  test('a refused append does not touch its neighbours in the same commit', async (t) => {
    const log = await (await makeStore(t)).open()
    await log.append(appendTo('ses_b', 0, { head: { externalId: 'x' } }))
    const results = await Promise.all([
      log.append(appendTo('ses_a', 0)),
      log.append(appendTo('ses_b', 7)),
      log.append(appendTo('ses_c', 0, { head: { externalId: 'x' } })),
      log.append(appendTo('ses_a', 1)),
      log.append(appendTo('ses_b', 1))
    ])
    t.same(results.map(({ status }) => status), ['appended', 'conflict', 'external_id_taken', 'appended', 'appended'])
    t.match(await log.readHead('ses_a'), { seq: 2 })
    t.match(await log.readHead('ses_b'), { seq: 2 })
  })

  test('an append whose head or seqs do not fit is a mistake of the caller', async (t) => {
    const log = await (await makeStore(t)).open()
    await t.rejects(log.append(appendTo('ses_1', 0, { head: { seq: 2 } })), /head does not fit/)
    await t.rejects(log.append(appendTo('ses_1', 0, { head: { sessionId: 'ses_2' } })), /head does not fit/)
    await t.rejects(log.append(appendTo('ses_1', 0, { events: [] })), /head does not fit/)
    await t.rejects(log.append(appendTo('ses_1', 0, { events: [anEvent('ses_1', 2)] })), /seqs must follow 0/)
    t.equal(await log.readHead('ses_1'), null)
  })

  test('a key that was used gives the row of the first request, and nothing is written', async (t) => {
    const log = await (await makeStore(t)).open()
    const key = (sessionId: string, createdAt = at) => ({ scope: 'me POST /sessions', key: 'k', fingerprint: 'f', sessionId, runId: null, createdAt })
    const results = await Promise.all(Array.from({ length: 10 }, (_, i) => log.append(appendTo(`ses_${i}`, 0, { idempotency: key(`ses_${i}`) }))))
    t.same(results, [{ status: 'appended' }, ...Array(9).fill({ status: 'idempotency_key_known', row: key('ses_0') })])
    t.equal(await log.readHead('ses_1'), null)
    t.same(await log.append(appendTo('ses_0', 9, { idempotency: key('ses_0') })), { status: 'idempotency_key_known', row: key('ses_0') }, 'also where the log has moved')
    t.same(await log.append(appendTo('ses_x', 0, { idempotency: { ...key('ses_x'), scope: 'you' } })), { status: 'appended' }, 'another scope')
  })

  test('a key older than a day is unknown and may be used again', async (t) => {
    const log = await (await makeStore(t)).open()
    const key = (sessionId: string, createdAt: string) => ({ scope: 'me', key: 'k', fingerprint: 'f', sessionId, runId: null, createdAt })
    await log.append(appendTo('ses_1', 0, { idempotency: key('ses_1', at) }))
    const [justBefore, then] = ['2026-01-03T03:04:05.677Z', '2026-01-03T03:04:05.678Z']
    t.match(await log.findIdempotent('me', 'k', justBefore), { sessionId: 'ses_1' })
    t.match(await log.append(appendTo('ses_2', 0, { idempotency: key('ses_2', justBefore) })), { status: 'idempotency_key_known' })
    t.equal(await log.findIdempotent('me', 'k', then), null)
    t.same(await log.append(appendTo('ses_2', 0, { idempotency: key('ses_2', then) })), { status: 'appended' })
    t.match(await log.findIdempotent('me', 'k', then), { sessionId: 'ses_2' })
  })

  test('an external id is one session of a team, and no team is a team too', async (t) => {
    const log = await (await makeStore(t)).open()
    for (const team of [null, 'blue', '']) {
      const results = await Promise.all([1, 2, 3].map((i) => log.append(appendTo(`ses_${team}_${i}`, 0, { head: { team, externalId: 'x' } }))))
      t.same(results, [{ status: 'appended' }, ...Array(2).fill({ status: 'external_id_taken', sessionId: `ses_${team}_1` })])
      t.match(await log.findExternal(team, 'x'), { sessionId: `ses_${team}_1` })
    }
    t.equal(await log.findExternal('red', 'x'), null)
    t.equal(await log.findExternal('blue', 'y'), null)
    t.same(await log.append(appendTo('ses_blue_1', 1, { head: { team: 'blue', externalId: 'x' } })), { status: 'appended' }, 'its own does not stand in its way')
  })

  test('an ended session frees its external id', async (t) => {
    const log = await (await makeStore(t)).open()
    await log.append(appendTo('ses_1', 0, { head: { externalId: 'x' } }))
    await log.append(appendTo('ses_1', 1, { head: { externalId: 'x', ended: true } }))
    t.equal(await log.findExternal(null, 'x'), null)
    t.same(await log.append(appendTo('ses_2', 0, { head: { externalId: 'x' } })), { status: 'appended' })
    t.match(await log.findExternal(null, 'x'), { sessionId: 'ses_2' })
    t.match(await log.readHead('ses_1'), { ended: true, externalId: 'x' })
  })

  test('close finishes what was asked before, and refuses what comes after', async (t) => {
    const store = await makeStore(t)
    const log = await store.open()
    const appends = Array.from({ length: 50 }, (_, seq) => log.append(appendTo('ses_1', seq)))
    await Promise.all([log.close(), ...appends])
    await t.rejects(log.append(appendTo('ses_1', 50)), { name: 'StoreError', code: 'storage_unavailable' })
    await t.rejects(log.readHead('ses_1'), { name: 'StoreError', code: 'storage_unavailable' })
    await log.close()
    t.match(await (await store.open()).readHead('ses_1'), { seq: 50 })
  })
}
