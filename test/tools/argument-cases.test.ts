import { Type } from '@sinclair/typebox'
import { test } from 'tap'
import type { JsonObject } from '../../src/protocol/common.ts'
import { defineTool } from '../../src/tools/define-tool.ts'
import { fileTools } from '../../src/tools/table.ts'
import { snapshot } from '../workspace/snapshot.ts'
import { bytesOf, loadCases, ourCode, place, type CaseFile } from './file-cases.ts'
import { toolSession } from './tool-session.ts'

interface ArgumentCase {
  readonly id: string
  readonly title: string
  readonly input: { readonly files: readonly CaseFile[], readonly turn?: { readonly tool_calls: ReadonlyArray<{ id: string, name: string, arguments_raw?: string }> } }
  readonly expect: { readonly results?: readonly Expected[], readonly files_after?: readonly CaseFile[], readonly files_unchanged?: boolean }
}

interface Expected {
  readonly call: string
  readonly is_error: boolean
  readonly code?: string
  readonly message_contains?: readonly string[]
  readonly content_contains?: readonly string[]
  readonly content_not_contains?: readonly string[]
}

/** Cases of how the text of a model becomes arguments: that is not the tools' business. */
const elsewhere = new Set(['b-01', 'b-02', 'b-04', 'b-05', 'b-06', 'b-11', 'b-12', 'b-13'])

/** Stands for the tool that is not one of files: the list of tools in an error has it. */
const runCommand = defineTool({
  name: 'run_command',
  description: '',
  parameters: Type.Object({ command: Type.String() }),
  dangerous: true,
  prepare: async () => ({ paths: [] }),
  execute: async () => ({ content: '', diff: null, verified: null, truncated: false, seen: [] })
})

for (const { id, title, input, expect } of loadCases<ArgumentCase>('b-tool-args.jsonl')) {
  if (elsewhere.has(id)) continue
  test(`${id} ${title}`, async (t) => {
    const session = await toolSession(t, [...fileTools, runCommand])
    place(session.directory, input.files, session.outside)
    const before = snapshot(session.directory)
    for (const call of input.turn?.tool_calls ?? []) {
      const args = JSON.parse(call.arguments_raw === '' ? '{}' : call.arguments_raw ?? '{}') as JsonObject // the case's own
      const outcome = await session.call(call.name, args).catch((error: unknown) => ({ ok: false, code: codeOf(error), text: String(error) }))
      const expected = expect.results?.find((result) => result.call === call.id)
      t.equal(outcome.ok, expected?.is_error === false, outcome.text)
      if (expected?.code !== undefined && 'code' in outcome) t.equal(outcome.code, ourCode(call.name, expected.code))
      for (const word of [...expected?.message_contains ?? [], ...expected?.content_contains ?? []]) t.ok(outcome.text.includes(word), `has ${word}`)
      for (const word of expected?.content_not_contains ?? []) t.notOk(outcome.text.includes(word), `has no ${word}`)
    }
    if (expect.files_unchanged === true) t.same(snapshot(session.directory), before)
    for (const file of expect.files_after ?? []) t.equal(snapshot(session.directory)[file.path], `644 ${bytesOf(file).toString('base64')}`)
  })
}

function codeOf (error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
