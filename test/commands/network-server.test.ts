import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'tap'
import type { Approval, Run, Session } from '../../src/protocol/resources.ts'
import { eventually } from '../support/eventually.ts'
import { startServer } from '../support/server.ts'
import { startTarget, targetHost } from './target.ts'

interface Ready { readonly capabilities: ReadonlyArray<{ readonly name: string, readonly available: boolean, readonly reason: string | null }> }

test('the network of commands is the operator\'s: shown to who decides, bound to the decision, out of reach of sessions', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'ecluse-network-'))
  t.teardown(() => { rmSync(directory, { recursive: true, force: true }) })
  chmodSync(directory, 0o711)
  const target = await startTarget(t)
  const open = `${targetHost}:${target.port}`
  const policyFile = join(directory, 'policy.json')
  const setNetwork = (...network: string[]): void => { writeFileSync(policyFile, JSON.stringify({ network })) }
  setNetwork('registry.example')
  const server = await startServer(t, { dataDir: join(directory, 'data'), env: { POLICY_FILE: policyFile } })
  const capabilities = async () => (await server.get<Ready>('/ready')).json.capabilities
  const [command, network] = await capabilities()
  if (command?.available !== true) { t.pass('needs a sandbox', { skip: command?.reason ?? 'no sandbox' }); return }
  t.same(network, { name: 'run_command_network', available: true, reason: null })

  for (const policy of [{ network: [open] }, { mode: 'auto', network: [open] }, { commands: { network: [open] } }, { rules: [{ tool: 'run_command', decision: 'allow', network: [open] }] }]) {
    t.match(await server.post('/sessions', { policy }), { status: 400, json: { code: 'invalid_request' } })
  }

  const { json: { id } } = await server.post<Session>('/sessions', {})
  t.match(await server.request('PATCH', `/sessions/${id}`, { json: { policy: { network: [open] } } }), { status: 400 })
  const { json: run } = await server.post<Run>(`/sessions/${id}/messages`, { content: `run curl -sS http://${open}/reached` })
  const [asked] = run.approvals
  t.ok(asked?.preview.notes.some((note) => note.startsWith('Network: HTTP and HTTPS to registry.example; nothing else.')))

  setNetwork('registry.example', open)
  await server.restart()
  const approval = async () => (await server.get<Approval>(`/approvals/${asked?.callId}`)).json
  t.equal((await server.post(`/approvals/${asked?.callId}`, { decision: 'approve' })).status, 200)
  await eventually(async () => (await approval()).round === 2) // what was approved with one list is not run with another
  t.equal(target.made, 0)
  const again = await approval()
  t.ok(again.preview.notes.some((note) => note.includes(`registry.example, ${open};`)))
  t.match(await server.post(`/approvals/${asked?.callId}`, { decision: 'approve', digest: again.digest }), { status: 200 })
  t.match(await server.get<Run>(`/sessions/${id}/runs/${run.id}`, { headers: { prefer: 'wait=20' } }), { json: { status: 'completed' } })
  t.same(target.requests.map(({ url }) => url), ['/reached'])
})
