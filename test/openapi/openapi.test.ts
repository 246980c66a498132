import { readFile } from 'node:fs/promises'
import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import { test } from 'tap'
import { parse } from 'yaml'
import { generateFiles } from '../../scripts/openapi/files.ts'
import { listAt, objectAt, textAt, type JsonObject } from '../../scripts/openapi/json.ts'
import { operationsOf } from '../../scripts/reference/operations.ts'
import { requestCodes, runCodes, toolCodes } from '../../src/protocol/error-codes.ts'
import { durableEvents } from '../../src/protocol/events.ts'
import { ephemeralEvents } from '../../src/protocol/ephemeral.ts'

const files = await generateFiles()
const document = parse(files.get('openapi.yaml') ?? '') as JsonObject // the generator writes an object
const schemas = objectAt(document, 'components', 'schemas')

for (const [path, content] of files) {
  test(`${path} is what the routes say`, async (t) => {
    t.ok(await readFile(path, 'utf8') === content, 'if not: npm run openapi')
  })
}

test('every operation has a unique id, a summary, a tag that is described, and its refusals as problems', async (t) => {
  const operations = operationsOf(document)
  const tags = listAt(document, 'tags').map((tag) => textAt(tag, 'name'))
  t.equal(new Set(operations.map(({ id }) => id)).size, operations.length)
  for (const { id, tag, summary, body } of operations) {
    t.match(id, /^[a-z][A-Za-z]+$/)
    t.ok(summary, id)
    t.ok(tags.includes(tag), id)
    for (const [status, response] of Object.entries(objectAt(body, 'responses'))) {
      if (Number(status) < 400 || (id === 'getReady' && status === '503')) continue // not ready is an answer, not a refusal
      t.same(Object.keys(objectAt(response, 'content')), ['application/problem+json'], `${id} ${status}`)
    }
  }
})

test('every reference leads to a component, and every component is a valid schema', async (t) => {
  const references = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)
  for (const [, name = ''] of references) if (schemas[name] === undefined) t.fail(name)
  const ajv = new Ajv2020({ strict: false })
  ajvFormats.default(ajv)
  ajv.addSchema({ $id: 'contract', components: { schemas } })
  for (const name of Object.keys(schemas)) t.doesNotThrow(() => ajv.compile({ $ref: `contract#/components/schemas/${name}` }), name)
  const isEvent = ajv.compile({ $ref: 'contract#/components/schemas/Event' })
  const end = { type: 'session_end', seq: 1, at: '2026-01-01T00:00:00.000Z', sessionId: 'ses_1', by: { kind: 'key' } }
  t.ok(isEvent(end))
  t.notOk(isEvent({ ...end, seq: 0 }))
  t.notOk(isEvent({ ...end, by: { kind: 'nobody' } }))
})

test('the resources have their names', async (t) => {
  for (const name of ['Session', 'Run', 'Approval', 'RunAnswer', 'Problem', 'Usage', 'Policy', 'TranscriptItem', 'CreateMessage', 'DecideApproval', 'EventPage']) t.ok(schemas[name], name)
})

test('the events of a stream are a discriminated union, each with its name', async (t) => {
  const { mapping } = objectAt(schemas['Event'], 'discriminator')
  const types = [...durableEvents, ...ephemeralEvents].map((schema) => schema.properties.type.const)
  t.same(Object.keys(objectAt(mapping)).sort(), [...types].sort())
  const path = objectAt(document, 'paths', '/sessions/{sessionId}/events', 'get', 'responses', '200', 'content')
  t.same(objectAt(path, 'text/event-stream'), { schema: { $ref: '#/components/schemas/Event' } })
})

test('what may be left out is not required', async (t) => {
  const create = objectAt(document, 'paths', '/sessions', 'post', 'requestBody')
  const message = objectAt(document, 'paths', '/sessions/{sessionId}/messages', 'post', 'requestBody')
  t.same([create['required'], message['required']], [false, true])
  const limit = listAt(document, 'paths', '/sessions', 'get', 'parameters').find((parameter) => textAt(parameter, 'name') === 'limit')
  t.equal(objectAt(limit)['required'], false)
})

test('every code has its place in the pages', async (t) => {
  const anchors = [...Object.keys(requestCodes), ...Object.keys(runCodes).map((code) => `run-${code}`), ...Object.keys(toolCodes).map((code) => `tool-${code}`)]
  for (const anchor of anchors) for (const page of ['docs/errors.md', 'docs/reference.html']) t.ok(files.get(page)?.includes(`id="${anchor}"`), `${page}#${anchor}`)
})

test('the reference runs no script, and its links lead somewhere', async (t) => {
  const html = files.get('docs/reference.html') ?? ''
  t.notMatch(html, /<script|javascript:|\son\w+=|https?:\/\//i)
  const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
  for (const [, target] of html.matchAll(/href="#([^"]+)"/g)) if (!ids.has(target)) t.fail(`#${target}`)
  t.equal(ids.size, [...html.matchAll(/ id="/g)].length, 'no id twice')
})
