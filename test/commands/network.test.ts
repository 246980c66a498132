import { chownSync, cpSync, existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import type { CommandRunnerOptions } from '../../src/workspace/commands/open-command-runner.ts'
import { parseNetworkRule, type NetworkRule } from '../../src/workspace/commands/network/destination.ts'
import { sandboxOwner } from '../../src/workspace/commands/sandbox-user.ts'
import { workspaceDirectory } from '../../src/workspace/open-workspaces.ts'
import { processesWith, sessionId, within } from './command-session.ts'
import { sandboxToolSession, type CommandToolSession } from './command-tool-session.ts'
import { makeCertificate, startTarget, targetHost } from './target.ts'

function rules (...texts: string[]): NetworkRule[] {
  return texts.map((text) => parseNetworkRule(text) ?? (() => { throw new Error(`${text} is no rule`) })())
}

/** A session whose commands may connect to `texts`, and no further. */
async function connected (t: Test, texts: string[], options: Partial<CommandRunnerOptions> = {}): Promise<CommandToolSession | null> {
  const session = await sandboxToolSession(t, { ...options, network: rules(...texts) })
  if (session !== null) t.same(session.runner.network, { destinations: texts, fault: null }, 'the way to the network was tried and works')
  return session
}

test('a command reaches a destination of the list over HTTP, with nothing but the variables that programs know', async (t) => {
  const target = await startTarget(t)
  const session = await connected(t, [`${targetHost}:${target.port}`])
  if (session === null) return
  const { text } = await session.call('run_command', { command: `curl -sS http://${targetHost}:${target.port}/a?b=c; head -c 300000 /dev/zero | tr '\\0' x | curl -sS --data-binary @- http://${targetHost}:${target.port}/up` })
  t.match(text, /\[stdout\]\nreached GET \/a\?b=c with 0\nreached POST \/up with 300000$/)
  t.notMatch(text, /not reached/)
  t.same(target.requests.map(({ headers }) => headers.host), Array(2).fill(`${targetHost}:${target.port}`))
})

test('a command reaches a destination of the list over HTTPS, encrypted from end to end', async (t) => {
  const tls = makeCertificate()
  if (tls === null) { t.pass('needs openssl', { skip: 'there is no openssl' }); return }
  const target = await startTarget(t, { tls })
  const session = await connected(t, [`${targetHost}:${target.port}`])
  if (session === null) return
  writeFileSync(join(session.directory, 'ca'), tls.cert)
  const { text } = await session.call('run_command', { command: `curl -sS --cacert ca https://${targetHost}:${target.port}/secret; curl -sS --cacert ca -o /dev/null -w '%{size_download}\\n' https://${targetHost}:${target.port}/big/5000000` })
  t.match(text, /\[stdout\]\nreached GET \/secret with 0\n5000000$/)
})

test('a destination that is not on the list is refused, in words for the program and for the model', async (t) => {
  const target = await startTarget(t)
  const session = await connected(t, ['registry.npmjs.org', '*.debian.org:443', `${targetHost}:1`])
  if (session === null) return
  const { text } = await session.call('run_command', { command: `curl -s -w '%{http_code}\\n' http://${targetHost}:${target.port}/a; curl -sS https://evil.example/; curl -sS https://registry.npmjs.org:8443/` })
  t.ok(text.includes(`${targetHost}:${target.port} is not on the list of destinations that commands on this server may connect to.\nThe list: registry.npmjs.org, *.debian.org:443, ${targetHost}:1\n403\n`), text)
  t.match(text, /CONNECT tunnel failed, response 403/)
  t.ok(text.includes(`[network: not reached: ${targetHost}:${target.port} (not on the list); evil.example:443 (not on the list); registry.npmjs.org:8443 (not on the list)]`), text)
  t.equal(target.made, 0)
})

test('a name that is allowed and leads to this host or a private network is refused', async (t) => {
  const target = await startTarget(t, { host: '127.0.0.1' })
  const session = await connected(t, [`localhost:${target.port}`, '*'])
  if (session === null) return
  const { text } = await session.call('run_command', { command: `curl -sS --noproxy '' http://localhost:${target.port}/; for h in 10.0.0.1 169.254.169.254 0x7f.1 2130706433 '[::ffff:127.0.0.1]' '[fd00:ec2::254]'; do curl -s --noproxy '' -o /dev/null -w '%{http_code} ' "http://$h/"; done` })
  t.match(text, /covered by the rule localhost:\d+, but it leads to an address that is not public/)
  t.match(text, /(403 ){6}/)
  t.equal(target.made, 0)
})

test('there is no other way out: not directly, not to the server, not by name', async (t) => {
  const target = await startTarget(t)
  const session = await connected(t, [`${targetHost}:${target.port}`])
  if (session === null) return
  const { out, err } = await session.run(`exec 3<>/dev/tcp/${targetHost}/${target.port} && echo open; curl -s --noproxy '*' http://${targetHost}:${target.port}/; getent hosts example.com; tail -n +3 /proc/net/dev | cut -d: -f1`)
  t.match(err, /refused|unreachable/)
  t.equal(out.replace(/\s/g, ''), 'lo')
  t.equal(target.made, 0)
})

test('without a list nothing of it is there', async (t) => {
  const session = await sandboxToolSession(t)
  if (session === null) return
  t.same(session.runner.network, { destinations: [], fault: null })
  const { out } = await session.run('env | grep -i proxy; ls /opt; cat /proc/net/tcp | wc -l')
  t.equal(out, '1\n')
  t.notOk(existsSync(join(session.dataDir, 'sockets')))
  t.notOk('refusals' in (await session.run('true')).result)
})

test('searches have no network, whatever commands have', async (t) => {
  const session = await connected(t, ['example.com'])
  if (session === null) return
  writeFileSync(join(session.directory, 'a.txt'), 'needle\n')
  t.match((await session.call('search_files', { pattern: 'needle' })).text, /a\.txt/)
  const { result } = await session.run('true')
  t.same(result.refusals, [])
})

test('the socket is of one command: no other session sees it, and it is gone with the command', async (t) => {
  const session = await connected(t, ['example.com'], { atOnce: 2 })
  if (session === null) return
  const sockets = (): string[] => readdirSync(join(session.dataDir, 'sockets'))
  t.same(sockets(), [], 'the check leaves none')
  const controller = new AbortController()
  const running = session.run(`sleep 20.${process.pid}`, { signal: controller.signal })
  t.ok(await within(10_000, () => sockets().length === 1), 'it runs with one')
  const [held = ''] = sockets()
  const other = `${sessionId}1`
  cpSync(session.directory, workspaceDirectory(session.dataDir, other), { recursive: true, preserveTimestamps: true })
  const owner = sandboxOwner()
  if (owner !== null) chownSync(workspaceDirectory(session.dataDir, other), owner.uid, owner.gid)
  const beside = await session.runner.run({ sessionId: other, program: { type: 'shell', command: 'ls -R /opt; cat /proc/self/mountinfo' }, cwd: session.workspace.parse('.'), timeoutMs: 10_000 }, { signal: controller.signal })
  const seen = beside.stdout.head.toString()
  t.match(seen, /forward\.cjs\nnode\nproxy\n/)
  t.ok(seen.includes('/sockets/') && !seen.includes(held), 'it has one of its own and no name of the other')
  controller.abort()
  await running
  t.same(sockets(), [])
})

test('connections end with their command, also those of what went to the background', async (t) => {
  const target = await startTarget(t)
  const session = await connected(t, [`${targetHost}:${target.port}`])
  if (session === null) return
  const controller = new AbortController()
  const running = session.run(`curl -s http://${targetHost}:${target.port}/wait & sleep 30.${process.pid}`, { signal: controller.signal })
  t.ok(await within(10_000, () => target.requests.length === 1), 'it is connected')
  controller.abort()
  t.equal((await running).outcome, 'cancelled')
  t.ok(await within(2_000, () => target.open.size === 0), 'the target sees the end')
  t.ok(await within(1_000, () => processesWith('/opt/network/forward.cjs').length === 0), 'and no forwarder is left')
})

test('a command is what it is without a network: its exit code, its signals, its jobs, its files, its output', async (t) => {
  const without = await sandboxToolSession(t)
  const session = await connected(t, ['example.com'])
  if (session === null || without === null) return
  const told = async ({ run }: CommandToolSession) => {
    const { out, err, exitCode } = await run('sleep 0.1 & wait; jobs; trap "echo caught" INT; kill -INT $$; echo "[$0] $# $- $REPLY"; ls /proc/self/fd; env | grep -iv proxy; exit 7')
    const killed = await run('kill -9 -1; kill -KILL $$')
    return { out, err, exitCode, killed: [killed.exitCode, killed.signal] }
  }
  const plain = await told(without)
  t.match(plain, { out: /^caught\n/, exitCode: 7, killed: [137, 'SIGKILL'] })
  t.same(await told(session), plain)
})

test('bytes and connections of a command are bounded', async (t) => {
  const target = await startTarget(t)
  const session = await connected(t, [`${targetHost}:${target.port}`], { networkLimits: { bytes: 200_000, connections: 4 } })
  if (session === null) return
  const url = `http://${targetHost}:${target.port}`
  const bytes = await session.run(`curl -s -o /dev/null -w '%{http_code} %{size_download}\\n' ${url}/big/5000000; curl -s -o /dev/null -w '%{http_code}\\n' ${url}/a`)
  t.ok(Number(bytes.out.split(/\s/)[1]) < 1_000_000, bytes.out)
  t.match(bytes.result.refusals?.join(), /more than 200000 bytes/)
  const many = await session.run(`for i in 1 2 3 4 5 6 7 8; do curl -s -m 0.5 ${url}/wait & done; wait`)
  t.match(many.result.refusals?.join(), /more than 4 at once/)
})

test('whoever decides sees where the command may connect to, and the digest holds it', async (t) => {
  const planOf = async (session: CommandToolSession) => {
    const tool = session.tools.find(({ name }) => name === 'run_command')
    if (tool === undefined) throw new Error('there is no run_command')
    return { tool, plan: await tool.prepare({ command: 'npm ci' }, session.context()) }
  }
  const closed = await sandboxToolSession(t)
  const open = await connected(t, ['registry.npmjs.org', '*.debian.org:443'])
  const other = await connected(t, ['registry.npmjs.org'])
  if (closed === null || open === null || other === null) return
  const none = await planOf(closed)
  t.match(none.tool.description, /sandbox: no network,/)
  t.match(none.plan.preview.notes.join('\n'), /; no network\.$/)
  t.equal(none.plan.resolved, undefined)
  const some = await planOf(open)
  t.match(some.tool.description, /only to registry\.npmjs\.org, \*\.debian\.org:443,/)
  t.ok(some.plan.preview.notes.includes('Network: HTTP and HTTPS to registry.npmjs.org, *.debian.org:443; nothing else. What it sends there leaves this host.'), some.plan.preview.notes.join('\n'))
  t.notMatch(some.plan.preview.notes.join('\n'), /no network/)
  t.equal(new Set([none, some, await planOf(other)].map(({ plan }) => plan.digest)).size, 3, 'an approval for one network is none for another')
})
