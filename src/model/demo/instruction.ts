import type { ModelMessage } from '../model.ts'
import { parseJson } from '../json.ts'

const asked = /^Path: .*\nInstruction: (".*")\n/
const understood = /^replace (?<all>all )?(?<old>"(?:[^"\\]|\\.)*"|\S+) (?:with|by) (?<new>"(?:[^"\\]|\\.)*"|\S+?)\.?$/i

/** The answer to a tool that wants exact edits for an instruction; null: the messages are something else. */
export function answerInstruction (messages: readonly ModelMessage[]): string | null {
  const [system, user, ...rest] = messages
  if (system?.role !== 'system' || user?.role !== 'user' || rest.length > 0 || !system.content.startsWith('You turn an instruction into exact edits')) return null
  const instruction = parseJson(asked.exec(user.content)?.[1] ?? '')
  const groups = typeof instruction === 'string' ? understood.exec(instruction)?.groups : undefined
  if (groups === undefined) return 'I understand only: replace OLD with NEW.'
  return JSON.stringify({ edits: [{ oldText: unquote(groups['old']), newText: unquote(groups['new']), ...(groups['all'] === undefined ? {} : { replaceAll: true }) }] })
}

function unquote (text = ''): string {
  const value = text.startsWith('"') ? parseJson(text) : undefined
  return typeof value === 'string' ? value : text
}
