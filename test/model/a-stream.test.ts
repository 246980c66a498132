import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test, type Test } from 'tap'
import { runCodes, type RunCode } from '../../src/protocol/error-codes.ts'
import { startModelServer } from '../support/model-server/model-server.ts'
import { bytesOf, readStreamCases, type Expectation } from './a-stream-cases.ts'
import { callModel, customModels, joined, toolNames, type Called } from './call-model.ts'
import { cut, readAll } from './read-all.ts'

const cases = readStreamCases()

/** The neutral kinds of the cases as our codes. */
const kinds: Readonly<Record<string, readonly RunCode[]>> = {
  malformed: ['model_incomplete'],
  truncated: ['model_incomplete'],
  upstream: ['model_overloaded', 'model_bad_request'],
  timeout: ['model_idle_timeout'],
  empty: ['model_empty']
}

function check (t: Test, expected: Expectation, { answer, error, parts }: Called): void {
  if (expected.outcome === 'ok') {
    if (answer === null) {
      t.fail(`failed with ${error?.code}: ${error?.message}`)
      return
    }
    t.equal(answer.text, expected.text)
    t.equal(joined(parts, 'text'), expected.text, 'the parts make the text')
    if (expected.reasoning !== undefined) t.equal(answer.reasoning, expected.reasoning)
    t.strictSame(answer.calls, (expected.tool_calls ?? []).map(({ name, arguments: args }) => ({ tool: name, arguments: args })))
    t.strictSame(answer.echo?.callIds ?? [], (expected.tool_calls ?? []).map(({ id }) => id === '*' ? '' : id))
    t.equal(answer.finishReason, expected.finish)
    if (expected.usage !== undefined) t.match(answer.usage, { inputTokens: expected.usage.input, outputTokens: expected.usage.output })
    for (const part of parts) if ('text' in part) t.notMatch(part.text, /\p{Surrogate}/u, 'no half of a character')
    return
  }
  if (error === null) {
    t.fail(`answered with ${JSON.stringify(answer)}`)
    return
  }
  const { kind = '', retryable, message_contains: words } = expected.error ?? {}
  t.ok(kinds[kind]?.includes(error.code), `${error.code} is ${kind}`)
  if (retryable !== undefined) t.equal(runCodes[error.code].canRetry, retryable)
  if (words !== undefined) t.ok(error.message.includes(words), error.message)
  if (expected.partial_text !== undefined) t.equal(error.partial.text, expected.partial_text)
}

test('each recorded stream is read as it should be, over HTTP', async (t) => {
  t.jobs = 8
  const server = await startModelServer(t)
  for (const { id, title, input, expect } of cases) {
    await server.script([{ raw: input }], { when: id })
    await t.test(`${id} ${title}`, async (t) => {
      const { model } = customModels(t, server.baseUrl, input.config?.idle_timeout_ms === undefined ? {} : { idleTimeoutMs: input.config.idle_timeout_ms })
      const called = await callModel(model, { messages: [{ role: 'user', content: id }], tools: toolNames.map((name) => ({ name, description: '', parameters: {} })) })
      check(t, expect, called)
      if (expect.max_ms !== undefined) t.ok(called.ms < expect.max_ms, `took ${Math.round(called.ms)} ms`)
    })
  }
})

for (const { id, title, input } of cases) {
  test(`cut at any place, ${id} reads the same: ${title}`, async (t) => {
    const bytes = bytesOf(input)
    const whole = readAll([bytes])
    t.strictSame(readAll([...bytes].map((byte) => Uint8Array.of(byte))), whole, 'byte by byte')
    fc.assert(fc.property(fc.array(fc.nat({ max: bytes.length }), { maxLength: 12 }), (at) => {
      assert.deepEqual(readAll(cut(bytes, at)), whole)
    }), { numRuns: 20 })
  })
}
