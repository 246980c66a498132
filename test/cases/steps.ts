import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Run, Session } from '../../src/protocol/resources.ts'
import { eventually } from '../support/eventually.ts'
import type { Answer } from '../support/request.ts'
import type { Step } from './load-cases.ts'
import { ourReply, writeFor } from './stand-ins.ts'
import { textOf, type World } from './world.ts'

type Doing = (world: World, step: Step) => Promise<void>

/** What only some cases do, by the name of the step. */
export type OwnSteps = Readonly<Record<string, Doing>>

/** Plays the steps of the world's case, in order. */
export async function playSteps (world: World, own: OwnSteps = {}): Promise<void> {
  const { input } = world.scenario
  await world.model.reset()
  await world.model.script(input.model.map(ourReply))
  if (input.model.length === 0) await world.model.fallback({ text: 'ok' }) // the case says nothing about the model
  for (const step of input.steps) await play(world, step, own)
}

async function play (world: World, step: Step, own: OwnSteps): Promise<void> {
  const doing = own[step.do] ?? steps[step.do]
  if (doing === undefined) throw new Error(`no such step: ${step.do}`)
  if (step.do === 'parallel') await Promise.all((step.steps ?? []).map((inner) => play(world, inner, own)))
  else await doing(world, step)
}

function keep (world: World, step: Step, answer: Answer): void {
  if (step.as !== undefined) world.answers.set(step.as, answer)
}

async function decide (world: World, step: Step, body: Record<string, unknown>): Promise<void> {
  const known = world.scenario.input.model.some(({ tool_calls: calls = [] }) => calls.some(({ id }) => id === step.call))
  const callId = known && step.call !== undefined ? (await world.approval(step.call)).callId : await fill(world, step.call ?? '')
  keep(world, step, await world.server.post(`/approvals/${callId}`, body))
}

async function fill (world: World, text: string): Promise<string> {
  const messageId = text.includes('{message_id}') ? (await world.logged('user_message')).at(-1)?.messageId ?? '' : ''
  return text.replace('{s}', world.sessionId).replace('{events}', `/sessions/${world.sessionId}/events`).replace('{message_id}', messageId)
}

const steps: Readonly<Record<string, Doing>> = {
  create_session: async (world) => {
    const approvalTimeoutMs = world.scenario.input.config?.approval_timeout_ms
    const { json } = await world.server.post<Session>('/sessions', approvalTimeoutMs === undefined ? {} : { limits: { approvalTimeoutMs } })
    world.sessionId = json.id
    for (const { path, utf8 } of world.scenario.input.files ?? []) {
      await mkdir(dirname(world.file(path)), { recursive: true })
      await writeFile(world.file(path), utf8)
    }
  },
  send: async (world, step) => {
    const answer = await world.server.post<Run>(`/sessions/${world.sessionId}/messages`, { content: step.text }, { headers: { prefer: 'respond-async', ...step.headers } })
    if (answer.status === 202 && !world.runIds.includes(answer.json.id)) world.runIds.push(answer.json.id)
    keep(world, step, answer)
  },
  events: async (world, step) => {
    const from = /^\{(\w+)\.last_id\}$/.exec(step.last_event_id ?? '')?.[1]
    const lastEventId = from === undefined ? undefined : world.stream(from).lastEventId
    const stream = await world.server.stream(`/sessions/${world.sessionId}/events`, {
      ...(lastEventId === undefined ? {} : { lastEventId }), ...(step.headers === undefined ? {} : { headers: { ...step.headers } })
    })
    world.streams.set(step.as ?? 'e1', stream)
    if (step.pause_ms === undefined) return
    stream.pause()
    setTimeout(() => { stream.resume() }, step.pause_ms)
  },
  read: async (world, step) => {
    if (world.streams.size === 0) await steps['wait_run_end']?.(world, step)
    else if (step.until_text === undefined) await world.stream(step.from).until(step.until ?? '', 20_000)
    else await world.stream(step.from).until(({ data }) => data.type === 'text_delta' && data.text.endsWith(step.until_text))
  },
  wait_text: async (world, { text = '' }) => {
    const stream = await world.server.stream(`/sessions/${world.sessionId}/events`)
    while (!textOf(stream.items).includes(text)) if (await stream.next() === null) throw new Error(`the stream ended without ${text}`)
    await stream.close()
  },
  wait_run_end: async (world) => { for (const index of world.runIds.keys()) await world.settled(index) },
  wait_approval: async (world, step) => { await world.approval(step.call ?? '') },
  approve: async (world, step) => {
    const edited = step.arguments === undefined ? {} : { arguments: writeFor(step.call ?? '', step.arguments) }
    await decide(world, step, { decision: 'approve', ...edited })
  },
  deny: async (world, step) => { await decide(world, step, { decision: 'deny', ...(step.feedback === undefined ? {} : { reason: step.feedback }) }) },
  cancel: async (world, step) => { keep(world, step, await world.server.post(`/sessions/${world.sessionId}/runs/${world.runIds.at(-1)}/cancel`, {})) },
  release: async (world) => {
    await eventually(async () => (await world.requests()).length > 0)
    await world.model.release()
  },
  wait: async (_world, { ms }) => { await sleep(ms) },
  close: async (world, step) => { await world.stream(step.stream).close() },
  destroy_socket: async (world, step) => { world.stream(step.stream).destroySocket() },
  reset_socket: async (world, step) => {
    await world.stream(step.stream).until('text_delta')
    world.stream(step.stream).destroySocket()
  },
  parallel: async () => {}, // played above
  snapshot: async (world, step) => {
    const present = new Set(['1.txt', '2.txt', '3.txt', 'ran.txt'].filter((name) => world.hasFile(name)))
    world.looks.set(step.as ?? '', { pending: await world.pending(), requests: (await world.requests()).length, files: (name) => present.has(name) })
  },
  http: async (world, step) => {
    const { body_gen: gen, body_raw: raw } = step
    const body = gen === undefined ? raw : gen.prefix + gen.repeat.repeat(gen.times) + gen.suffix
    keep(world, step, await world.server.request(step.method ?? 'GET', await fill(world, step.path ?? ''), {
      headers: step.headers ?? {},
      // The body member of a message has another name here.
      ...(body === undefined ? {} : { body: body.replace('"text"', '"content"') }),
      ...(step.timeout_ms === undefined ? {} : { signal: AbortSignal.timeout(step.timeout_ms) })
    }))
  },
  list_approvals: async (world, step) => { keep(world, step, await world.server.get('/approvals?status=pending')) },
  kill: async (world, step) => { await world.server.kill(step.signal ?? 'SIGKILL') },
  start: async (world) => { await world.server.restart() },
  write_outside: async (world, step) => { await writeFile(world.file(step.path ?? ''), step.utf8 ?? '') }
}
