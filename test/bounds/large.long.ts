import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'tap'
import * as limits from '../../src/limits.ts'
import { callModel, customModels } from '../model/call-model.ts'
import { startFiles } from '../files/file-server.ts'
import { toolSession } from '../tools/tool-session.ts'

test('manifestEntriesMax: what is beyond it in a directory does not count into its state', async (t) => {
  const { workspace, directory } = await toolSession(t)
  mkdirSync(join(directory, 'd'))
  writeFileSync(join(directory, 'f'), '')
  const add = (name: string) => { symlinkSync('f', join(directory, 'd', name)) }
  for (let n = 0; n < limits.manifestEntriesMax - 1; n++) add(String(n))
  const state = async () => JSON.stringify(await workspace.state(workspace.parse('d')))
  const before = await state()
  add('x')
  const full = await state()
  t.not(full, before, 'the last that counts')
  add('y')
  t.equal(await state(), full, 'the first that does not')
})

test('diffFilesMax, diffTextBytesMax: a patch of more files is 422, and a larger file is told as binary', async (t) => {
  const { server, session, directory } = await startFiles(t)
  const diff = async () => await server.get<{ code: string }>(`/sessions/${session}/diff`, { headers: { accept: 'text/x-diff' } })
  writeFileSync(join(directory, 'a'), 'x'.repeat(limits.diffTextBytesMax))
  t.notMatch((await diff()).text, /GIT binary patch/)
  writeFileSync(join(directory, 'a'), 'x'.repeat(limits.diffTextBytesMax + 1))
  t.match((await diff()).text, /GIT binary patch/)
  execFileSync('bash', ['-c', `cd "$0" && seq 2 ${limits.diffFilesMax} | xargs touch`, directory])
  t.equal((await diff()).status, 200)
  writeFileSync(join(directory, 'one-more'), '')
  t.match(await diff(), { json: { code: 'diff_too_large' } })
})

test('modelLateEndMs, modelKeepAliveMs: an answer that is whole ends, whatever still comes, and an idle connection is closed', async (t) => {
  const delta = (part: object, reason: string | null = null) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: part, finish_reason: reason }] })}\n\n`
  let connections = 0
  let endless = true
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(delta({ content: 'x' }) + delta({}, 'stop'))
    if (!endless) {
      response.end('data: [DONE]\n\n')
      return
    }
    const timer = setInterval(() => { response.write(': still here\n\n') }, 100)
    response.once('close', () => { clearInterval(timer) })
  }).on('connection', () => { connections++ })
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.closeAllConnections(); server.close() })
  const address = server.address()
  const { model } = customModels(t, `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1`, { totalTimeoutMs: 60_000 })
  const { answer, ms } = await callModel(model)
  t.match(answer, { text: 'x', finishReason: 'stop' })
  t.ok(ms >= limits.modelLateEndMs - 100 && ms < limits.modelLateEndMs + 5_000, `${Math.round(ms)} ms`)
  endless = false
  await callModel(model)
  const before = connections
  await callModel(model)
  t.equal(connections, before, 'kept')
  await new Promise((resolve) => { setTimeout(resolve, limits.modelKeepAliveMs + 1_000) })
  await callModel(model)
  t.equal(connections, before + 1, 'closed')
})
