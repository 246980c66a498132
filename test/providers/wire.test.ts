import assert from 'node:assert/strict'
import fc from 'fast-check'
import tap, { test, type Test } from 'tap'
import { MessagesReader } from '../../src/model/anthropic/messages-reader.ts'
import type { Reader } from '../../src/model/dialect.ts'
import { ResponsesReader } from '../../src/model/responses/responses-reader.ts'
import { bytesOf } from '../model/a-stream-cases.ts'
import { callModel, joined, requestOf, toolNames, type Called } from '../model/call-model.ts'
import { cut } from '../model/read-all.ts'
import { startModelServer } from '../support/model-server/model-server.ts'
import { providerModels } from './provider-models.ts'
import { anthropicCases, responsesCases, type WireCase } from './wire-cases.ts'

const server = await startModelServer(tap)

function check (t: Test, expect: WireCase['expect'], { answer, error, parts }: Called): void {
  t.equal(error?.code, expect.error, error?.message ?? 'no error')
  if (expect.says !== undefined) t.ok(error?.message.includes(expect.says), error?.message ?? 'no error')
  if (expect.partial !== undefined) t.equal(error?.partial.text, expect.partial)
  if (expect.text !== undefined) {
    t.equal(answer?.text, expect.text)
    t.equal(joined(parts, 'text'), expect.text, 'the parts make the text')
  }
  if (expect.reasoning !== undefined) t.equal(answer?.reasoning, expect.reasoning)
  if (expect.calls !== undefined) {
    t.strictSame(answer?.calls, expect.calls.map(([tool, args]) => ({ tool, arguments: args })))
    t.strictSame(answer?.echo?.callIds ?? [], expect.calls.map(([, , id]) => id))
  }
  if (expect.invalid !== undefined) t.equal(answer?.calls[0]?.invalidArguments?.reason, expect.invalid)
  if (expect.finish !== undefined) t.equal(answer?.finishReason, expect.finish)
  if (expect.usage !== undefined) t.match(answer?.usage, expect.usage)
  if (expect.data !== undefined) t.match(answer?.echo?.data, expect.data)
}

for (const { dialect, title, raw, expect } of [...anthropicCases, ...responsesCases]) {
  test(`${dialect}, over HTTP: ${title}`, async (t) => {
    await server.script([{ raw }])
    const models = providerModels(t, server.baseUrl)
    check(t, expect, await callModel(models[dialect], requestOf()))
  })
}

function readAll (dialect: WireCase['dialect'], pieces: readonly Uint8Array[]) {
  const reader: Reader<object> = dialect === 'anthropic' ? new MessagesReader(toolNames) : new ResponsesReader()
  const parts = pieces.flatMap((piece) => reader.feed([piece]))
  parts.push(...reader.end())
  const calls: string[] = []
  for (const part of parts) if (part.type === 'call') calls[part.index] = (calls[part.index] ?? '') + part.text
  return { result: reader.result(), text: joined(parts, 'text'), reasoning: joined(parts, 'reasoning'), calls, partial: reader.partial }
}

for (const { dialect, title, raw } of [...anthropicCases, ...responsesCases].filter(({ raw }) => raw.status === undefined)) {
  test(`${dialect}, cut at every place, reads the same: ${title}`, async (t) => {
    const bytes = bytesOf(raw)
    const whole = readAll(dialect, [bytes])
    t.strictSame(readAll(dialect, [...bytes].map((byte) => Uint8Array.of(byte))), whole, 'byte by byte')
    for (let at = 1; at < bytes.length; at++) assert.deepEqual(readAll(dialect, cut(bytes, [at])), whole, `cut at ${at}`)
    fc.assert(fc.property(fc.array(fc.nat({ max: bytes.length }), { maxLength: 8 }), (at) => { assert.deepEqual(readAll(dialect, cut(bytes, at)), whole) }), { numRuns: 10 })
  })
}

test('any JSON in the stream ends in an answer or a failure, never in an exception', async () => {
  const types = [...anthropicCases, ...responsesCases].flatMap(({ raw }) => [...bytesOf(raw).toString().matchAll(/"type":"([a-z_.]+)"/g)].map(([, type]) => type ?? ''))
  const event = fc.record({ type: fc.constantFrom(...new Set(types)), index: fc.anything(), output_index: fc.anything(), delta: fc.jsonValue(), item: fc.jsonValue(), content_block: fc.jsonValue(), response: fc.jsonValue(), message: fc.jsonValue(), usage: fc.jsonValue() }, { requiredKeys: ['type'] })
  fc.assert(fc.property(fc.constantFrom('anthropic' as const, 'responses' as const), fc.array(event, { maxLength: 12 }), (dialect, events) => {
    const { result } = readAll(dialect, [Buffer.from(events.map((event) => `data: ${JSON.stringify(event) ?? '{}'}\n\n`).join(''))])
    assert.ok('code' in result || 'finishReason' in result)
  }), { numRuns: 200 })
})
