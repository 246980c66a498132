import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'tap'
import { startModelServer } from '../support/model-server/model-server.ts'
import { bytesOf } from './a-stream-cases.ts'
import { callModel, customModels, joined, requestOf } from './call-model.ts'
import { frame, quirks } from './quirks.ts'
import { cut, readAll } from './read-all.ts'

test('each quirk of the servers out there is read as it is meant, over HTTP', async (t) => {
  const server = await startModelServer(t)
  const { model } = customModels(t, server.baseUrl)
  for (const { title, raw, expect } of quirks) {
    await server.script([{ raw }])
    await t.test(title, async (t) => {
      const { answer, error, parts } = await callModel(model, requestOf())
      t.equal(error?.code, expect.error, error?.message ?? 'no error')
      if (expect.says !== undefined) t.ok(error?.message.includes(expect.says), error?.message ?? 'no error')
      if (expect.partial !== undefined) t.equal(error?.partial.text, expect.partial)
      if (expect.text !== undefined) t.equal(answer?.text, expect.text)
      if (expect.text !== undefined) t.equal(joined(parts, 'text'), expect.text)
      if (expect.reasoning !== undefined) t.equal(answer?.reasoning, expect.reasoning)
      if (expect.error === undefined) t.strictSame(answer?.calls, (expect.calls ?? []).map(([tool, args]) => ({ tool, arguments: args })))
      if (expect.calls !== undefined) t.strictSame(answer?.echo?.callIds, expect.calls.map(([, , id]) => id))
      if (expect.finish !== undefined) t.equal(answer?.finishReason, expect.finish)
      if (expect.usage !== undefined) t.match(answer?.usage, expect.usage)
    })
  }
})

for (const { title, raw } of quirks.filter(({ raw }) => raw.status === undefined)) {
  test(`cut at any place it reads the same: ${title}`, async (t) => {
    const bytes = bytesOf(raw)
    const whole = readAll([bytes])
    t.strictSame(readAll([...bytes].map((byte) => Uint8Array.of(byte))), whole, 'byte by byte')
    fc.assert(fc.property(fc.array(fc.nat({ max: bytes.length }), { maxLength: 8 }), (at) => {
      assert.deepEqual(readAll(cut(bytes, at)), whole)
    }), { numRuns: 10 })
  })
}

test('whatever JSON a server sends, the reader ends with an answer or a failure', async (t) => {
  const value = fc.jsonValue({ maxDepth: 2 })
  const fields = (...keys: string[]): fc.Arbitrary<object> => fc.record(Object.fromEntries(keys.map((key) => [key, value])), { requiredKeys: [] })
  const fn = fields('name', 'arguments')
  const call = fc.oneof(value, fc.record({ index: value, id: value, function: fc.oneof(value, fn), extra_content: value }, { requiredKeys: [] }))
  const message = fc.oneof(fields('content', 'reasoning', 'reasoning_content', 'refusal', 'tool_calls'), fc.record({
    content: fc.oneof(value, fc.array(fields('type', 'text', 'thinking'))), tool_calls: fc.array(call), reasoning_details: fc.oneof(value, fc.array(fields('type', 'text', 'index', 'data')))
  }, { requiredKeys: [] }))
  const choice = fc.oneof(value, fc.record({ delta: fc.oneof(value, message), message, finish_reason: value, usage: value }, { requiredKeys: [] }))
  const chunk = fc.oneof(value, fc.record({ choices: fc.oneof(value, fc.array(choice)), usage: value, x_groq: value }, { requiredKeys: [] }), fields('error', 'object', 'message', 'code'))
  fc.assert(fc.property(fc.array(chunk, { maxLength: 4 }), fc.boolean(), (chunks, asStream) => {
    const text = asStream ? chunks.map(frame).join('') + 'data: [DONE]\n\n' : JSON.stringify(chunks[0] ?? {})
    const { result } = readAll([Buffer.from(text)])
    assert.ok('code' in result ? typeof result.detail === 'string' : result.calls.every(({ tool }) => typeof tool === 'string'))
  }), { numRuns: 1_000 })
  t.pass()
})
