import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, open, openSync, rmSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { test, type Test } from 'tap'
import { loadConfig } from '../../src/config.ts'
import * as limits from '../../src/limits.ts'
import { runCommandTool } from '../../src/tools/run-command.ts'
import { CommandNetwork } from '../../src/workspace/commands/network/command-network.ts'
import { parseNetworkRule } from '../../src/workspace/commands/network/destination.ts'
import { defaultProxyLimits } from '../../src/workspace/commands/network/proxy.ts'
import { openCommandSession } from '../commands/command-session.ts'
import { sandboxToolSession } from '../commands/command-tool-session.ts'
import { say, startProxy } from '../commands/start-proxy.ts'
import { startTarget, targetHost } from '../commands/target.ts'
import { eventually } from '../support/eventually.ts'

const rulesOf = (...texts: string[]) => texts.flatMap((text) => parseNetworkRule(text) ?? [])
const names = (count: number) => Array.from({ length: count }, (_name, index) => `n${index + 1}.example`)
const asking = (host: string) => `CONNECT ${host} HTTP/1.1\r\nHost: x\r\n\r\n`

test('networkRulesMax, networkRuleLengthMax: a policy file with one more is no policy', (t) => {
  const load = (network: string[]) => loadConfig({ POLICY_FILE: 'policy.json' }, t.testdir({ 'policy.json': JSON.stringify({ network }) })).policy.network
  t.equal(load(names(limits.networkRulesMax)).length, limits.networkRulesMax)
  t.throws(() => load(names(limits.networkRulesMax + 1)), /POLICY_FILE: at \/network: /)
  const long = (length: number) => 'a'.repeat(length - ':443'.length) + ':443'
  t.match(load([long(limits.networkRuleLengthMax)]), [{ ports: [443] }])
  t.throws(() => load([long(limits.networkRuleLengthMax + 1)]), /POLICY_FILE: at \/network\/0: /)
  t.end()
})

test('networkDestinationsShown: a model reads so many names, and how many more there are', async (t) => {
  const described = async (destinations: string[]) => {
    const { runner } = await openCommandSession(t, { network: rulesOf(...destinations), bwrap: '/none' }) // the list is all that counts here
    return runCommandTool(runner).description
  }
  const shown = names(limits.networkDestinationsShown)
  t.match(await described(shown), `only to ${shown.join(', ')},`)
  t.match(await described([...shown, 'one-more.example']), `only to ${shown.join(', ')} and 1 more,`)
})

test('networkRefusalsShown: so many that were not reached are named, and the others counted', async (t) => {
  const { path, proxy } = await startProxy(t, ['example.com'])
  for (const name of names(limits.networkRefusalsShown)) await say(path, asking(`${name}:443`))
  const named = names(limits.networkRefusalsShown).map((name) => `${name}:443 (not on the list)`)
  t.same(proxy.refusals.list(), named)
  await say(path, asking('one-more.example:443'))
  t.same(proxy.refusals.list(), [...named, '1 more'])
})

test('networkConnectionsMax: a command opens so many at once; the next is cut, and the model is told', async (t) => {
  const session = await sandboxToolSession(t, { network: rulesOf('example.com') })
  if (session === null) return
  const ask = "printf 'CONNECT none HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n' >&$last; read -r -n 12 line <&$last; echo \"[$line]\""
  const opened = (count: number) => `trap '' PIPE; for i in $(seq ${count}); do exec {last}<>/dev/tcp/127.0.0.1/3128; done; ${ask}`
  const all = await session.run(opened(limits.networkConnectionsMax))
  t.match(all, { out: '[HTTP/1.1 400]\n', result: { refusals: [] } })
  const more = await session.run(opened(limits.networkConnectionsMax + 1))
  t.match(more, { out: '[]\n', result: { refusals: [`a connection (more than ${limits.networkConnectionsMax} at once)`] } })
})

test('networkBytesMax: the last byte within it arrives, the next cuts all connections', async (t) => {
  let arrived = 0
  const port = await listen(t, (socket) => { socket.on('data', (bytes) => { arrived += bytes.length }) })
  const { path, proxy } = await startProxy(t, [`${targetHost}:${port}`])
  const client = await tunnelTo(t, path, port)
  let cut = false
  client.on('close', () => { cut = true })
  proxy.count(limits.networkBytesMax - 10) // as if they had gone before
  client.write(Buffer.alloc(10))
  await eventually(() => arrived === 10)
  t.same([cut, proxy.refusals.list()], [false, []])
  client.write('x')
  await eventually(() => cut)
  t.same([arrived, proxy.refusals.list()], [10, [`all connections (more than ${limits.networkBytesMax} bytes)`]])
})

test('networkIdleMs: who is silent for so long is cut, before a request, in a tunnel and while it waits for an answer', async (t) => {
  t.equal(defaultProxyLimits.idleMs, limits.networkIdleMs)
  const idleMs = 200
  const target = await startTarget(t)
  const host = `${targetHost}:${target.port}`
  const { path } = await startProxy(t, [host], { idleMs })
  await Promise.all([['', /^$/], [asking(host), /^HTTP\/1\.1 200 [^\n]*\r\n\r\n$/], [`GET http://${host}/wait HTTP/1.1\r\nHost: x\r\n\r\n`, /^$/]].map(async ([text, answer]) => {
    t.match(await after(t, idleMs, limits.networkIdleMs, say(path, String(text))), answer)
  }))
})

test('networkConnectMs: a destination that does not answer for so long is given up with 504', async (t) => {
  t.equal(defaultProxyLimits.connectMs, limits.networkConnectMs)
  const connectMs = 200
  const port = await listenWithoutAnswer(t)
  const host = `${targetHost}:${port}`
  const { path, proxy } = await startProxy(t, [host], { connectMs })
  const answers = await Promise.all([asking(host), `GET http://${host}/ HTTP/1.1\r\nHost: x\r\n\r\n`].map(async (text) => {
    return await after(t, connectMs, limits.networkConnectMs, say(path, text))
  }))
  for (const answer of answers) t.match(answer, new RegExp(`^HTTP/1\\.1 504 Gateway Timeout\r\n[^]*\r\n${host} did not answer within ${connectMs} ms\\.\n`))
  t.same(proxy.refusals.list(), [`${host} (no answer in time)`])
})

test('networkLookupsAtOnce, networkConnectMs: all commands together look up so many names at once; who waits too long is told', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'ecluse-lookups-')) // a socket's address is short
  t.teardown(() => { rmSync(directory, { recursive: true }) })
  const release = holdThreads(t, directory)
  const connectMs = 500
  const network = new CommandNetwork(rulesOf('localhost'), join(directory, 'sockets'), null, { connectMs })
  t.teardown(() => { network.close() })
  const commands = await Promise.all(Array.from({ length: limits.networkLookupsAtOnce + 1 }, () => network.open()))
  t.teardown(async () => { for (const command of commands) await command.close() })
  const answers = await Promise.all(commands.map(({ socket }) => after(t, connectMs, limits.networkConnectMs, say(socket, asking('localhost:443')))))
  for (const answer of answers) t.match(answer, /^HTTP\/1\.1 502 [^]*its name cannot be resolved/)
  t.equal(lookups(), limits.networkLookupsAtOnce, 'the last was never begun; what nobody waits for any more still holds its place')
  release()
  await eventually(() => lookups() === 0)
  t.match(await say(commands[0]?.socket ?? '', asking('localhost:443')), /^HTTP\/1\.1 403 [^]*not public/, 'places come free again')
})

/** What ends after `ms`, and before the bound that `ms` stands for. */
async function after<T> (t: Test, ms: number, bound: number, ending: Promise<T>): Promise<T> {
  const startedAt = performance.now()
  const ended = await ending
  const took = performance.now() - startedAt
  t.ok(took > ms - 20 && took < bound, 'neither sooner nor much later')
  return ended
}

const lookups = () => process.getActiveResourcesInfo().filter((name) => name === 'GetAddrInfoReqWrap').length

/** Every thread of the pool waits at a pipe until released, so that no look-up ends. */
function holdThreads (t: Test, directory: string): () => void {
  const pipe = join(directory, 'pipe')
  execFileSync('mkfifo', [pipe])
  const handles: number[] = []
  for (let n = 0; n < Number(process.env['UV_THREADPOOL_SIZE'] ?? 4); n++) open(pipe, 'r', (_error, handle) => { handles.push(handle) })
  let held = true
  const release = () => {
    if (!held) return
    held = false
    handles.push(openSync(pipe, constants.O_RDWR)) // a writer, which they waited for
  }
  t.teardown(() => {
    release()
    for (const handle of handles) closeSync(handle)
  })
  return release
}

async function listen (t: Test, take: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => { take(socket.on('error', () => {})) })
  await new Promise<void>((resolve) => { server.listen(0, targetHost, resolve) })
  t.teardown(() => { server.close() })
  return (server.address() as AddressInfo).port
}

async function tunnelTo (t: Test, path: string, port: number): Promise<Socket> {
  const client = connect({ path })
  t.teardown(() => { client.destroy() })
  client.on('error', () => {})
  client.write(asking(`${targetHost}:${port}`))
  await new Promise((resolve) => { client.once('data', resolve) })
  return client
}

/** A server too busy to take anybody in: once its queue is full the kernel lets new connections wait. */
async function listenWithoutAnswer (t: Test): Promise<number> {
  const queue = 1
  const busy = new Worker(`const { parentPort } = require('node:worker_threads')
    const server = require('node:net').createServer().listen({ port: 0, host: '${targetHost}', backlog: ${queue} }, () => {
      parentPort.postMessage(server.address().port)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    })`, { eval: true })
  t.teardown(async () => { await busy.terminate() })
  const port = await new Promise<number>((resolve) => { busy.once('message', resolve) })
  for (let n = 0; n <= queue; n++) {
    const socket = connect({ host: targetHost, port }).on('error', () => {})
    t.teardown(() => { socket.destroy() })
    await new Promise((resolve) => { socket.once('connect', resolve) })
  }
  return port
}
