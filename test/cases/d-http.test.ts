import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'tap'
import type { Run, TranscriptItem } from '../../src/protocol/resources.ts'
import { startModelServer } from '../support/model-server/model-server.ts'
import { startServer } from '../support/server.ts'
import { checkSentences, loadScenarios, type Checks } from './load-cases.ts'
import { playSteps } from './steps.ts'
import { idsOf, textOf, World } from './world.ts'

const problem = (code: string) => ({ headers: { 'content-type': /^application\/problem\+json/ }, json: { code } })
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)
const gauge = async (w: World, name: string): Promise<number> => Number(new RegExp(`^ecluse_${name} (\\S+)$`, 'm').exec((await w.server.get('/metrics')).text)?.[1])
const transcript = async (w: World) => (await w.server.get<{ items: TranscriptItem[] }>(`/sessions/${w.sessionId}/messages`)).json.items

const checks: Checks<World> = {
  'd-01': [
    (t, w) => {
      const ids = [...idsOf(w.stream('e1')), ...idsOf(w.stream('e2'))]
      t.strictSame(ids, upTo(ids.length))
    },
    (t, w) => { t.equal(textOf([...w.stream('e1').items, ...w.stream('e2').items]), 'one two three four') }
  ],
  'd-02': [
    (t, w) => { t.strictSame(w.stream('e1').items, w.stream('e2').items) },
    async (t, w) => {
      await w.stream('e1').close()
      await w.model.script([{ text: 'more' }])
      await w.server.post(`/sessions/${w.sessionId}/messages`, { content: 'more' })
      t.match((await w.stream('e2').until('run_end')).at(-1), { data: { text: 'more' } })
    }
  ],
  'd-03': [
    async (t, w) => { t.match(await w.run(), { status: 'completed', text: 'all done' }) },
    (t, w) => { t.equal(textOf(w.stream('e2').items), 'all done') },
    async (t, w) => {
      t.equal((await w.server.get(`/sessions/${w.sessionId}`)).status, 200)
      t.equal(w.stream('e2').status, 200)
    }
  ],
  'd-04': [
    (t, w) => {
      t.equal(w.stream('e2').items.filter(({ event }) => event === 'text_delta').map(({ data }) => data.text).join(''), 'x'.repeat(200))
      t.match(w.stream('e2').items.at(-1), { event: 'run_end', data: { status: 'completed' } })
    },
    async (t, w) => {
      t.equal((await w.server.get('/health')).status, 200)
      t.notMatch(w.server.stderr(), /unhandled|uncaught|ECONNRESET/i)
    },
    async (t, w) => { t.match(await w.run(), { status: 'completed', error: null }) }
  ],
  'd-05': [
    (t, w) => {
      t.equal(w.stream().items.filter(({ event }) => event === 'text_delta').map(({ data }) => data.text).join('').length, 400_000)
      t.match(w.stream().items.at(-1), { event: 'run_end', data: { status: 'completed' } })
    }
  ],
  'd-06': [
    (t, w) => { t.match(w.stream().headers['content-type'], /^text\/event-stream(; charset=utf-8)?$/) },
    (t, w) => { t.match(w.stream().headers['cache-control'], /(?=.*no-cache)(?=.*no-transform)/) },
    (t, w) => { t.equal(w.stream().headers['x-accel-buffering'], 'no') },
    (t, w) => { t.notHas(w.stream().headers, { 'content-length': /./ }) }
  ],
  'd-07': [
    async (t, w) => {
      const began = performance.now()
      const stream = await w.server.stream(`/sessions/${w.sessionId}/events?after=latest`)
      t.equal(stream.status, 200)
      t.ok(performance.now() - began < 1_000)
      await stream.close()
    }
  ],
  'd-08': [
    (t, w) => { t.ok(w.stream().comments.length > 1, w.stream().text) },
    (t, w) => {
      t.equal(w.stream().lastEventId, '1', 'that of session_start')
      t.notMatch(w.stream().text, /^:.*\nid:/m)
    },
    async (t, w) => {
      await w.model.script([{ tool_calls: [{ id: 'c1', name: 'write_file', arguments: { path: 'a', content: '' } }] }])
      t.match(await w.server.post(`/sessions/${w.sessionId}/messages`, { content: 'write' }), { status: 202, json: { status: 'awaiting_approval' } })
      await w.stream().until('approval_required')
      const before = w.stream().comments.length
      await sleep(600)
      t.ok(w.stream().comments.length > before)
    }
  ],
  'd-09': [
    (t, w) => { t.equal(w.stream().headers['access-control-allow-origin'], 'https://ui.example') },
    (t, w) => { t.match(w.stream().headers['vary'], /origin/i) },
    async (t, w) => {
      const answer = await w.server.get(`/sessions/${w.sessionId}/events`, { headers: { origin: 'https://other.example', accept: 'text/event-stream' } })
      t.match(answer, { status: 403, ...problem('origin_not_allowed') })
      t.equal(answer.headers['access-control-allow-origin'], undefined)
    }
  ],
  'd-10': [
    (t, w) => { t.equal(textOf(w.stream().items), 'A\u2028BC\r\nDE\n\nevent: run_end\ndata: {}\n\nF') },
    (t, w) => { t.equal(w.stream().items.filter(({ event }) => event === 'run_end').length, 1) },
    (t, w) => {
      const lines = w.stream().text.split(/\r\n|[\n\r\u0085\u2028\u2029]/)
      const data = lines.filter((line) => line.startsWith('data:')).map((line) => JSON.parse(line.slice(5)))
      t.equal(data.length, w.stream().items.length)
      for (const line of lines) t.match(line, /^(:.*|(id|event|data|retry):.*|)$/)
    }
  ],
  'd-11': [
    (t, w) => {
      t.equal(w.answer('m1').status, 202)
      t.match(w.answer('m2'), { status: 409, ...problem('run_active') })
    },
    async (t, w) => { t.strictSame((await transcript(w)).map(({ role }) => role), ['user', 'assistant']) },
    async (t, w) => {
      t.notMatch(JSON.stringify(await w.log()), /"two"/)
      t.notMatch(JSON.stringify(await w.requests()), /two/)
    }
  ],
  'd-12': [
    async (t, w) => {
      t.equal((await w.logged('tool_call_start')).length, 1)
      t.ok(w.hasFile('ran.txt'))
    },
    (t, w) => {
      t.strictSame([w.answer('a1').status, w.answer('a2').status], [200, 200])
      t.strictSame(w.answer('a1').json, w.answer('a2').json)
    },
    async (t, w) => { t.strictSame((await w.logged('approval_resolved')).map(({ outcome }) => outcome), ['approved']) }
  ],
  'd-13': [
    (t, w) => { t.match(w.answer('a'), { status: 409, ...problem('approval_cancelled') }) },
    (t, w) => { t.notOk(w.hasFile('ran.txt')) },
    async (t, w) => { t.match(await w.server.post(`/sessions/${w.sessionId}/messages`, { content: 'on' }), { status: 200, json: { text: 'finished' } }) }
  ],
  'd-14': [
    (t, w) => {
      for (const name of ['a', 'b', 'c']) t.match(w.answer(name), { status: 404, ...problem('approval_not_found') }, name)
    },
    async (t, w) => {
      t.equal((await w.approval('c1')).status, 'pending')
      t.strictSame(await w.logged('tool_call_start'), [])
      t.notOk(w.hasFile('ran.txt'))
    }
  ],
  'd-15': [
    async (t, w) => {
      const [told] = await w.toolMessages(1)
      t.equal(told?.tool_call_id, 'c1')
      t.match(JSON.parse(told?.content ?? ''), { error: /^A person denied this call; nothing was done\..*use make clean instead/, canRetry: false })
    },
    (t, w) => { t.notOk(w.hasFile('ran.txt')) },
    async (t, w) => {
      t.strictSame((await w.logged('approval_resolved')).map(({ outcome, reason }) => [outcome, reason]), [['denied', 'use make clean instead']])
      t.strictSame((await w.logged('tool_call_end')).map(({ ok, error }) => [ok, error?.code]), [[false, 'denied']])
    }
  ],
  'd-16': [
    async (t, w) => {
      const { pending, requests, files } = w.look('t1')
      const ids = await Promise.all(['c1', 'c3'].map((name) => w.callId(name)))
      t.strictSame(pending.map(({ callId }) => callId).sort(), ids.sort())
      t.notOk(files('1.txt') || files('3.txt'))
      t.equal(requests, 1)
    },
    async (t, w) => {
      t.notOk(w.hasFile('1.txt') || w.hasFile('3.txt'))
      t.equal(await w.content('2.txt'), '2')
    },
    async (t, w) => { t.strictSame((await w.toolMessages(1)).map(({ tool_call_id: id }) => id), ['c1', 'c2', 'c3']) }
  ],
  'd-17': [
    async (t, w) => {
      t.equal((await w.logged('user_message')).length, 1)
      t.equal((await w.logged('run_start')).length, 1)
      t.equal((await w.requests()).length, 1)
    },
    (t, w) => {
      const ids = ['m1', 'm2', 'm3'].map((name) => (w.answer(name).json as Run).id) // a run, as respond-async has it
      t.strictSame(new Set(ids).size, 1)
      t.match(w.answer('m3'), { status: 202, json: { status: 'completed' } })
    },
    async (t, w) => {
      await w.model.script([{ text: 'late', gate: true }])
      const post = async () => await w.server.post(`/sessions/${w.sessionId}/messages`, { content: 'pay' }, { headers: { prefer: 'respond-async' } })
      t.equal((await post()).status, 202)
      t.match(await post(), { status: 409, ...problem('run_active') })
    }
  ],
  'd-18': [
    (t, w) => { t.match(w.answer('r'), { status: 413, ...problem('payload_too_large') }) },
    (t, w) => { t.equal(w.answer('g').status, 200) },
    async (t, w) => {
      const before = await gauge(w, 'resident_memory_bytes')
      await w.server.post(`/sessions/${w.sessionId}/messages`, { content: 'x'.repeat(20_000_000) })
      t.ok(await gauge(w, 'resident_memory_bytes') - before < 20_000_000)
    }
  ],
  'd-19': [
    (t, w) => { t.match(w.answer('a'), { status: 415, ...problem('unsupported_media_type'), text: /application\/json/ }) },
    (t, w) => { t.match(w.answer('b'), { status: 200, json: { run: { status: 'completed' } } }) }
  ],
  'd-20': [
    (t, w) => {
      t.match(w.answer('a'), { status: 400, ...problem('invalid_json') })
      for (const name of ['b', 'c']) t.match(w.answer(name), { status: 400, ...problem('invalid_request') }, name)
    },
    (t, w) => { t.notMatch(w.answer('a').text, /script|alert|\bat .*:\d+/) },
    async (t, w) => { t.strictSame(await w.logged('user_message'), []) }
  ],
  'd-21': [
    (t, w) => {
      t.strictSame([w.answer('x1').status, w.answer('x2').status], [200, 200])
      t.strictSame(w.answer('x1').json, w.answer('x2').json)
    },
    (t, w) => { t.match(w.answer('x3'), { status: 200, json: { status: 'cancelled' } }) },
    async (t, w) => { t.strictSame((await w.logged('run_end')).map(({ status }) => status), ['cancelled']) }
  ],
  'd-22': [
    (t, w) => {
      // The end event is the error event: what failed and how stands in it.
      const end = w.stream().items.at(-1)
      t.match(end, { event: 'run_end', data: { status: 'failed', error: { code: 'model_incomplete', canRetry: true } } })
    },
    (t, w) => { t.notMatch(w.server.stderr(), /headers already sent|ERR_HTTP_HEADERS_SENT|writeHead/i) },
    async (t, w) => {
      t.match(await w.run(), { status: 'failed', text: 'part' })
      t.match(await w.session(), { status: 'idle' })
      t.match((await transcript(w)).at(-1), { role: 'assistant', content: [{ text: 'part' }] })
    }
  ],
  'd-23': [
    (t, w) => {
      t.match(w.answer('h'), { status: 200, text: '' })
    },
    async (t, w) => {
      const head = await w.server.request('HEAD', `/sessions/${w.sessionId}/events`, { headers: { accept: 'text/event-stream' }, signal: AbortSignal.timeout(1_500) })
      t.match(head, { status: 200, text: '', headers: { 'content-type': /^text\/event-stream/ } })
      t.equal(await gauge(w, 'open_streams'), 0)
    }
  ]
}

test('HTTP and streams, as they went wrong elsewhere', async (t) => {
  const model = await startModelServer(t)
  const server = await startServer(t, { model: model.baseUrl, env: { HEARTBEAT_MS: '200', CORS_ORIGINS: 'https://ui.example', MODEL_MAX_RETRIES: '0' } })
  for (const scenario of loadScenarios('d-http.jsonl')) {
    await t.test(`${scenario.id} ${scenario.title}`, async (t) => {
      const world = new World(server, model, scenario)
      // The heart beats faster here: what waits for it need not wait so long.
      await playSteps(world, { wait: async (_world, { ms = 0 }) => { await sleep(Math.min(ms, 700)) } })
      await checkSentences(t, scenario, checks, world)
      for (const stream of world.streams.values()) await stream.close()
      if (world.sessionId !== '') await world.log()
    })
  }
})
