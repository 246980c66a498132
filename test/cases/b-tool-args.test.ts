import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { test, type Test } from 'tap'
import type { Approval, Run, ToolInfo } from '../../src/protocol/resources.ts'
import { startModelServer, type ModelServer, type Reply } from '../support/model-server/model-server.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { bytesOf, type CaseFile } from '../tools/file-cases.ts'
import { snapshot } from '../workspace/snapshot.ts'
import { checkSentences, loadLines, loadScenarios, type Checks, type ScenarioCase } from './load-cases.ts'
import { playSteps } from './steps.ts'
import { World } from './world.ts'

interface Call { readonly id: string, readonly name: string, readonly arguments_raw?: string, readonly arguments_value?: unknown }
interface Result {
  readonly call: string
  readonly is_error: boolean
  readonly message_contains?: readonly string[]
  readonly message_contains_any?: readonly string[]
  readonly content_contains?: readonly string[]
  readonly content_not_contains?: readonly string[]
  readonly code?: string
}
interface Expectation {
  readonly executed?: readonly string[]
  readonly executed_count?: number
  readonly results?: readonly Result[]
  readonly files_after?: readonly CaseFile[]
  readonly files_unchanged?: boolean
}
interface ArgumentCase {
  readonly id: string
  readonly title: string
  readonly input: {
    readonly kind: string
    readonly files: ReadonlyArray<{ readonly path: string, readonly utf8: string }>
    readonly turn: { readonly tool_calls: readonly Call[], readonly finish_reason: string }
  }
  readonly expect: Expectation & { readonly level: 'must' | 'should', readonly assert?: readonly string[], readonly any_of?: readonly Expectation[] }
}

/** The neutral names of the cases: what is wrong with arguments has one code here, and its message says which. */
const ourCodes: Readonly<Record<string, string>> = { invalid_json: 'invalid_arguments', truncated: 'invalid_arguments', invalid_args: 'invalid_arguments' }

const checks: Checks<World> = {
  'b-04': [async (t, w) => {
    const [call] = (await w.messages(1)).flatMap(({ tool_calls: calls = [] }) => calls)
    t.equal(call?.function.arguments, '{"path":"a.txt"}')
  }],
  'b-07': [async (t, w) => { t.strictSame(await w.logged('approval_required'), []) }],
  'b-11': [
    async (t, w) => {
      const told = (await w.toolMessages(1)).map(({ content }) => content)
      t.match(told, [/AAA/, /BBB/])
    },
    async (t, w) => {
      const ids = (await w.logged('assistant_message')).flatMap(({ calls }) => calls.map(({ callId }) => callId))
      t.equal(new Set(ids).size, 2)
    },
    async (t, w) => {
      const messages = await w.messages(1)
      const asked = messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id))
      t.equal(new Set(asked).size, 2)
      t.strictSame(messages.flatMap(({ tool_call_id: id }) => id ?? []), asked)
    }
  ],
  'b-12': [
    async (t, w) => {
      for (const index of [1, 2]) {
        const args = (await w.messages(index)).flatMap(({ tool_calls: calls = [] }) => calls.map((call) => call.function.arguments))
        t.equal(args.length, 1)
        for (const text of args) t.type(JSON.parse(text), Object)
      }
    },
    async (t, w) => {
      const [told] = await w.toolMessages(1)
      t.equal(told?.tool_call_id, 'c1')
      t.match(told?.content, /not valid JSON.*unterminated/)
    },
    async (t, w) => { t.equal((await w.logged('assistant_message'))[0]?.calls[0]?.invalidArguments?.text, '{"path": "unterminated') }
  ]
}

/** The turn as it stands in the case: arguments go out as they are, whatever they are. */
function turnReply ({ input: { turn } }: ArgumentCase, tools: ReadonlySet<string>): Reply {
  const chunk = (delta: object, finish: string | null): string => `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
  const calls = turn.tool_calls.map(({ id, name, arguments_raw: raw, arguments_value: value }, index) => chunk({
    tool_calls: [{ index, id, type: 'function', function: { name: ourTool(name, tools), arguments: raw ?? value } }]
  }, null))
  return { raw: { chunks: [...calls, chunk({}, turn.finish_reason), 'data: [DONE]\n\n'] } }
}

/** The search of the cases; where there is none, its arguments go to a tool that there is: the case is about them. */
function ourTool (name: string, tools: ReadonlySet<string>): string {
  return name === 'search' ? (tools.has('search_files') ? 'search_files' : 'read_file') : name
}

/** Plays one turn, approves everything, and tells how each call came out. */
async function playTurn (world: World, argumentCase: ArgumentCase, tools: ReadonlySet<string>): Promise<void> {
  const { model, server } = world
  await model.reset()
  await model.script([turnReply(argumentCase, tools), { text: 'done' }])
  world.sessionId = (await server.post<{ id: string }>('/sessions', {})).json.id
  for (const { path, utf8 } of argumentCase.input.files) {
    await mkdir(dirname(world.file(path)), { recursive: true })
    await writeFile(world.file(path), utf8)
  }
  const { json } = await server.post<Run>(`/sessions/${world.sessionId}/messages`, { content: 'go' }, { headers: { prefer: 'respond-async' } })
  world.runIds.push(json.id)
  for (;;) {
    const run = (await server.get<Run>(`/sessions/${world.sessionId}/runs/${json.id}`, { headers: { prefer: 'wait=10' } })).json
    if (run.status !== 'awaiting_approval') break
    for (const { callId, digest } of run.approvals) await server.post<Approval>(`/approvals/${callId}`, { decision: 'approve', digest })
  }
}

/** What of an expectation does not hold, in words. */
async function faultsOf (world: World, { input }: ArgumentCase, expect: Expectation, before: object, tools: ReadonlySet<string>): Promise<string[]> {
  const made = (await world.logged('assistant_message')).flatMap(({ calls }) => calls.map(({ callId }) => callId))
  const ourId = (id: string): string | undefined => made[input.turn.tool_calls.findIndex((call) => call.id === id)]
  const started = (await world.logged('tool_call_start')).map(({ callId }) => callId)
  const ends = await world.logged('tool_call_end')
  const faults: string[] = []
  const must = (holds: boolean, text: string): void => { if (!holds) faults.push(text) }
  must(ends.length === input.turn.tool_calls.length, 'one result for each call')
  if (expect.executed !== undefined) must(sameSet(started, expect.executed.map(ourId)), `executed: ${expect.executed.join()}`)
  if (expect.executed_count !== undefined) must(started.length === expect.executed_count, `${expect.executed_count} executed`)
  for (const result of expect.results ?? []) {
    const end = ends.find(({ callId }) => callId === ourId(result.call))
    const said = end?.ok === true ? end.content ?? '' : `${end?.error?.error} ${end?.error?.suggestion}`
    must(end?.ok === !result.is_error, `${result.call} ${result.is_error ? 'fails' : 'succeeds'}: ${said}`)
    if (result.code !== undefined) must(end?.error?.code === (ourCodes[result.code] ?? result.code), `${result.call} has the code ${result.code}`)
    const offered = (result.message_contains ?? []).filter((word) => word !== 'run_command' || tools.has(word))
    for (const word of [...offered, ...result.content_contains ?? []]) must(said.includes(word), `${result.call} says ${word}: ${said}`)
    for (const word of result.content_not_contains ?? []) must(!said.includes(word), `${result.call} does not say ${word}: ${said}`)
    const { message_contains_any: any } = result
    if (any !== undefined) must(any.some((word) => said.includes(word)), `${result.call} says one of ${any.join()}: ${said}`)
  }
  const after = snapshot(world.file('.'))
  if (expect.files_unchanged === true) must(JSON.stringify(after) === JSON.stringify(before), 'files unchanged')
  for (const file of expect.files_after ?? []) must(after[file.path] === `644 ${bytesOf(file).toString('base64')}`, `bytes of ${file.path}`)
  return faults
}

const sameSet = (a: readonly unknown[], b: readonly unknown[]): boolean => a.length === b.length && a.every((item) => b.includes(item))

async function playArguments (t: Test, argumentCase: ArgumentCase, server: TestServer, model: ModelServer, tools: ReadonlySet<string>): Promise<void> {
  const { expect } = argumentCase
  const world = new World(server, model, argumentCase as unknown as ScenarioCase) // only its sentences are looked at
  await playTurn(world, argumentCase, tools)
  const before = Object.fromEntries(argumentCase.input.files.map((file) => [file.path, `644 ${bytesOf(file).toString('base64')}`]))
  const outcomes = await Promise.all([expect, ...(expect.any_of ?? []).map((other) => ({ ...expect, ...other }))]
    .map((expectation) => faultsOf(world, argumentCase, expectation, before, tools)))
  t.ok(outcomes.some((faults) => faults.length === 0), outcomes[0]?.join('; ') ?? '')
  t.match(await world.run(), { status: 'completed', text: 'done', steps: 2 }, 'the run goes on')
  t.equal((await server.get('/health')).status, 200)
  await checkSentences(t, argumentCase as unknown as ScenarioCase, checks, world)
}

test('arguments of tools, as models send them', async (t) => {
  const model = await startModelServer(t)
  const server = await startServer(t, { model: model.baseUrl })
  const tools = new Set((await server.get<{ items: ToolInfo[] }>('/tools')).json.items.map(({ name }) => name))
  for (const argumentCase of loadLines<ArgumentCase>('b-tool-args.jsonl').filter(({ input }) => input.kind === 'tool_args')) {
    await t.test(`${argumentCase.id} ${argumentCase.title}`, async (t) => { await playArguments(t, argumentCase, server, model, tools) })
  }
  for (const scenario of loadScenarios('b-tool-args.jsonl')) {
    await t.test(`${scenario.id} ${scenario.title}`, async (t) => {
      const world = new World(server, model, scenario)
      await playSteps(world)
      await checkSentences(t, scenario, checks, world)
    })
  }
})
