import { test } from 'tap'
import type { Approval, Run, Session } from '../../src/protocol/resources.ts'
import { startModelServer } from '../support/model-server/model-server.ts'
import { startServer } from '../support/server.ts'
import { checkSentences, loadScenarios, type Checks } from './load-cases.ts'
import { playSteps } from './steps.ts'
import { World } from './world.ts'

const write = (id: string, path: string, content = 'x') => ({ tool_calls: [{ id, name: 'write_file', arguments: { path, content } }] })

/** The text that stands for the case's command: the content of a write. */
function commandOf (w: World): string {
  const args = w.scenario.input.model[0]?.tool_calls?.[0]?.arguments
  return typeof args === 'object' && 'command' in args ? String(args.command) : ''
}

/** A call in a session of its own that waits for a decision. */
async function ask (w: World, path: string, settings: object = {}): Promise<{ session: Session, approval: Approval }> {
  await w.model.reset()
  await w.model.script([write('x1', path), { text: 'on' }])
  const { json: session } = await w.server.post<Session>('/sessions', settings)
  const { json: run } = await w.server.post<Run>(`/sessions/${session.id}/messages`, { content: 'write' })
  const [approval] = run.approvals
  if (approval === undefined) throw new Error('nothing waits')
  return { session, approval }
}

const checks: Checks<World> = {
  'f-07': [
    async (t, w) => {
      const [event] = await w.logged('approval_required')
      t.equal(event?.preview.diff?.split('\n').filter((line) => /^\+(?!\+\+)/.test(line)).join(''), `+${commandOf(w)}`)
      t.equal((await w.approval('c1')).arguments['content'], commandOf(w))
    },
    async (t, w) => {
      const { preview } = await w.approval('c1')
      t.equal(preview.truncated, false)
      t.ok(preview.content !== null && (preview.content === commandOf(w) || preview.diff?.includes(commandOf(w))))
    }
  ],
  'f-08': [
    async (t, w) => {
      t.equal((await w.logged('assistant_message'))[0]?.calls[0]?.arguments['content'], commandOf(w))
      t.equal((await w.approval('c1')).arguments['content'], commandOf(w))
    },
    async (t, w) => {
      const { preview } = await w.approval('c1')
      t.equal(preview.unusualCharacters, true)
      for (const mark of ['⟨U+202E⟩', '⟨U+2066⟩', '⟨U+2069⟩', '⟨U+200B⟩']) t.ok(preview.diff?.includes(mark), mark)
      t.notMatch(JSON.stringify(preview), /[\u202e\u2066\u2069\u200b]/)
    },
    async (t, w) => {
      const { approval: { preview } } = await ask(w, 'safe\u202etxt.sh')
      t.match(preview, { paths: ['safe⟨U+202E⟩txt.sh'], summary: /⟨U\+202E⟩/, unusualCharacters: true })
      t.notMatch(JSON.stringify(preview), /\u202e/)
    }
  ],
  'f-09': [
    async (t, w) => {
      const told = await w.toolMessages(1)
      t.strictSame(told.map(({ tool_call_id: id }) => id), ['c1', 'c2', 'c3'])
      for (const [index, own] of ['c1.txt', 'c2.txt', 'three'].entries()) t.ok(told[index]?.content?.includes(own), own)
    },
    async (t, w) => { t.equal((await w.requests()).length, 2) }
  ],
  'f-10': [
    async (t, w) => {
      t.strictSame(await w.logged('tool_call_start'), [])
      t.notOk(w.hasFile('ran.txt'))
    },
    async (t, w) => { t.strictSame(w.look('t').pending.map(({ callId }) => callId), [await w.callId('c2')]) },
    async (t, w) => {
      t.strictSame((await w.logged('approval_resolved')).map(({ outcome }) => outcome), ['denied'])
      t.strictSame((await w.session()).policy.rules, [])
    }
  ],
  'f-11': [
    async (t, w) => {
      t.equal(await w.content('a.txt'), 'y=0\nx=1\nx=1\n')
      t.strictSame((await w.logged('tool_call_end')).map(({ error }) => error?.code), ['not_unique'])
    },
    async (t, w) => {
      const [end] = await w.logged('tool_call_end')
      t.match(end, { ok: false, diff: null, verified: null })
      t.strictSame(await w.logged('tool_call_start'), [])
    }
  ],
  'f-13': [
    async (t, w) => {
      t.equal(await w.content('c1.txt'), 'rm -rf build/tmp')
      t.match((await w.toolMessages(1))[0]?.content, /A person changed the arguments.*rm -rf build\/tmp/)
      const { approval } = await ask(w, 'a.txt', { policy: { rules: [{ tool: 'write_file', path: 'secret/**', decision: 'deny' }] } })
      const decide = async (args: object) => await w.server.post(`/approvals/${approval.callId}`, { decision: 'approve', arguments: args })
      for (const args of [{ path: 7, content: 'x' }, { path: '../x', content: 'x' }]) t.match(await decide(args), { status: 422, json: { code: 'invalid_arguments' } })
      t.match(await decide({ path: 'secret/a', content: 'x' }), { status: 200 })
      const run = await w.server.get<Run>(`/sessions/${approval.sessionId}/runs/${approval.runId}`, { headers: { prefer: 'wait=10' } })
      t.match(run.json, { status: 'completed' })
      t.match(JSON.parse((await w.toolMessages(1))[0]?.content ?? ''), { code: 'denied_by_policy' })
    },
    async (t, w) => {
      t.match(w.answer('a'), { status: 200, json: { status: 'approved', round: 2 } })
      t.strictSame((await w.logged('approval_resolved')).map(({ outcome }) => outcome), ['replaced', 'approved'])
      t.equal((await w.logged('tool_call_start')).length, 1)
    }
  ],
  'f-14': [
    async (t, w) => {
      t.match((await w.logged('tool_call_end')).map(({ error }) => error), [{ code: 'approval_expired', error: /timed out/ }])
      t.strictSame(await w.logged('tool_call_start'), [])
      t.notOk(w.hasFile('ran.txt'))
    },
    (t, w) => { t.match(w.answer('late'), { status: 409, json: { code: 'approval_expired', approval: { status: 'expired' } } }) },
    async (t, w) => {
      const { session, approval } = await ask(w, 'a.txt')
      t.equal(approval.expiresAt, null)
      for (const event of ['approval_required', 'snapshot']) {
        const stream = await w.server.stream(`/sessions/${session.id}/events`)
        await stream.until(event)
        await stream.close()
      }
      t.match((await w.server.get(`/approvals?status=pending&sessionId=${session.id}`)).json, { items: [{ callId: approval.callId }] })
    }
  ]
}

test('approvals, as they went wrong elsewhere', async (t) => {
  const model = await startModelServer(t)
  const server = await startServer(t, { model: model.baseUrl })
  for (const scenario of loadScenarios('f-approval.jsonl')) {
    await t.test(`${scenario.id} ${scenario.title}`, async (t) => {
      const world = new World(server, model, scenario)
      await playSteps(world)
      await checkSentences(t, scenario, checks, world)
      await world.log()
    })
  }
})
