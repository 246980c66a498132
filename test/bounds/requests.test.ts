import { test } from 'tap'
import type { Problem } from '../../src/protocol/error-codes.ts'
import type { Session } from '../../src/protocol/resources.ts'
import * as limits from '../../src/limits.ts'
import { readPrefer } from '../../src/routes/prefer.ts'
import { parseKeys } from '../../src/routes/edge/keys.ts'
import { startServer } from '../support/server.ts'

const text = (length: number) => 'x'.repeat(length)

test('bounds of what one request may say', async (t) => {
  const server = await startServer(t)
  const { json: { id } } = await server.post<Session>('/sessions', {})
  const rule = (path: string) => ({ tool: 'write_file', path, decision: 'ask' })

  const fields: ReadonlyArray<{ bound: keyof typeof limits, path: string, pointer: string, body: (size: number) => object, status?: number }> = [
    { bound: 'titleLengthMax', path: '/sessions', pointer: '/title', body: (size) => ({ title: text(size) }) },
    { bound: 'externalIdLengthMax', path: '/sessions', pointer: '/externalId', body: (size) => ({ externalId: text(size) }) },
    { bound: 'instructionsLengthMax', path: '/sessions', pointer: '/instructions', body: (size) => ({ instructions: text(size) }) },
    { bound: 'rulesMax', path: '/sessions', pointer: '/policy/rules', body: (size) => ({ policy: { rules: Array.from({ length: size }, () => rule('a')) } }) },
    { bound: 'ruleTextLengthMax', path: '/sessions', pointer: '/policy/rules/0/path', body: (size) => ({ policy: { rules: [rule(text(size))] } }) },
    { bound: 'messageLengthMax', path: `/sessions/${id}/messages`, pointer: '/content', body: (size) => ({ content: text(size), onBusy: 'queue' }), status: 202 },
    { bound: 'contentPartsMax', path: `/sessions/${id}/messages`, pointer: '/content', body: (size) => ({ content: Array.from({ length: size }, () => ({ type: 'text', text: 'x' })), onBusy: 'queue' }), status: 202 }
  ]
  for (const { bound, path, pointer, body, status = 201 } of fields) {
    await t.test(`${bound}: ${pointer} of POST ${path.replace(id, ':sessionId')}`, async (t) => {
      const size = Number(limits[bound])
      const headers = { prefer: 'respond-async' }
      t.equal((await server.post(path, body(size), { headers })).status, status)
      const refused = await server.post<Problem>(path, body(size + 1), { headers })
      t.match(refused, { status: 400, json: { code: 'invalid_request' } })
      t.match(refused.json.errors, [{ pointer, detail: new RegExp(`more than ${size} `) }])
    })
  }

  await t.test('messageLengthMax: the parts of a message count together', async (t) => {
    const half = text(limits.messageLengthMax / 2)
    const content = [half, half, 'x'].map((text) => ({ type: 'text', text }))
    t.match(await server.post(`/sessions/${id}/messages`, { content, onBusy: 'queue' }), { status: 413, json: { code: 'payload_too_large' } })
  })

  await t.test('modelNameLengthMax, reasonLengthMax: a longer one is refused before anybody looks at it', async (t) => {
    t.match(await server.post('/sessions', { model: text(limits.modelNameLengthMax) }), { json: { code: 'unknown_model' } })
    t.match(await server.post('/sessions', { model: text(limits.modelNameLengthMax + 1) }), { json: { code: 'invalid_request', errors: [{ pointer: '/model' }] } })
    const decide = async (size: number) => await server.post('/approvals/call_x', { decision: 'deny', reason: text(size) })
    t.match(await decide(limits.reasonLengthMax), { json: { code: 'approval_not_found' } })
    t.match(await decide(limits.reasonLengthMax + 1), { json: { code: 'invalid_request', errors: [{ pointer: '/reason' }] } })
  })

  await t.test('idempotencyKeyLengthMax', async (t) => {
    const create = async (size: number) => await server.post('/sessions', {}, { headers: { 'idempotency-key': text(size) } })
    t.equal((await create(limits.idempotencyKeyLengthMax)).status, 201)
    t.match(await create(limits.idempotencyKeyLengthMax + 1), { status: 400, json: { code: 'invalid_request' } })
  })

  await t.test('pageSizeDefault, pageSizeMax, cursorLengthMax', async (t) => {
    t.equal((await server.get(`/sessions?limit=${limits.pageSizeMax}`)).status, 200)
    t.match(await server.get(`/sessions?limit=${limits.pageSizeMax + 1}`), { status: 400, json: { errors: [{ pointer: '/limit' }] } })
    t.match(await server.get(`/sessions/${id}/events?after=${'1'.repeat(limits.cursorLengthMax + 1)}`), { status: 400, json: { errors: [{ pointer: '/after' }] } })
  })

  await t.test('paramLengthMax: a longer part of a path is no route', async (t) => {
    t.match(await server.get(`/sessions/${text(limits.paramLengthMax + 1)}`), { status: 404, json: { code: 'not_found' } })
    t.match(await server.get(`/sessions/${text(100)}`), { status: 404, json: { code: 'session_not_found' } })
  })

  await t.test('headerBytesMax: more is 431', async (t) => {
    t.equal((await server.get('/sessions', { headers: { 'x-long': text(limits.headerBytesMax - 1_000) } })).status, 200)
    t.match(await server.get('/sessions', { headers: { 'x-long': text(limits.headerBytesMax) } }), { status: 431, json: { code: 'headers_too_large' } })
  })

  await t.test('validationErrorsMax: no more faults are told of one request', async (t) => {
    const rules = Array.from({ length: limits.validationErrorsMax + 5 }, () => rule(''))
    t.equal((await server.post<Problem>('/sessions', { policy: { rules } })).json.errors?.length, limits.validationErrorsMax)
  })

  await t.test('bodyBytesMax: the default of a JSON body', async (t) => {
    const body = (size: number) => JSON.stringify({ title: '' }).replace('""', `"${text(size - 12)}"`)
    const headers = { 'content-type': 'application/json' }
    t.match(await server.request('POST', '/sessions', { body: body(limits.bodyBytesMax), headers }), { status: 400, json: { code: 'invalid_request' } })
    t.match(await server.request('POST', '/sessions', { body: body(limits.bodyBytesMax + 1), headers }), { status: 413, json: { code: 'payload_too_large' } })
  })
})

test('waitMsMax: nobody waits longer, whatever Prefer says', (t) => {
  t.match(readPrefer('wait=1000000'), { waitMs: limits.waitMsMax })
  t.end()
})

test('apiKeyLengthMin, apiKeysMax: shorter keys and more keys are refused at the start', (t) => {
  t.match(parseKeys(text(limits.apiKeyLengthMin)), { faults: [], keys: [{}] })
  t.match(parseKeys(text(limits.apiKeyLengthMin - 1)), { faults: [/shorter than 16/], keys: [] })
  const keys = (count: number) => Array.from({ length: count }, (_, n) => `key-number-${String(n).padStart(8, '0')}`).join('\n')
  t.match(parseKeys(keys(limits.apiKeysMax)), { faults: [] })
  t.match(parseKeys(keys(limits.apiKeysMax + 1)), { faults: [/more than 1000 entries/] })
  t.end()
})
