import { requestCodes, runCodes, toolCodes } from '../../src/protocol/error-codes.ts'
import { inline, prose } from './html.ts'

interface Row { readonly id: string, readonly code: string, readonly status: number | null, readonly title: string, readonly canRetry: boolean }

/** The tables of codes. The anchor of a request's code is the code itself: problems point there with `type`. */
export function errorTables (): string {
  const settled = (prefix: string, codes: Record<string, { canRetry: boolean, title: string }>): Row[] =>
    Object.entries(codes).map(([code, facts]) => ({ id: `${prefix}-${code}`, code, status: null, ...facts }))
  const requests = Object.entries(requestCodes).map(([code, facts]) => ({ id: code, code, ...facts })).sort((a, b) => a.status - b.status)
  return [
    '<h3>Refused requests</h3>', prose('In `code` of the problem.'), table(requests),
    '<h3>Failed runs</h3>', prose('In `run.error.code`, and in `error.code` of `run_end`.'), table(settled('run', runCodes)),
    '<h3>Failed tool calls</h3>', prose('In `error.code` of `tool_call_end`, and in what the model is told.'), table(settled('tool', toolCodes))
  ].join('\n')
}

function table (rows: readonly Row[]): string {
  const withStatus = rows.some(({ status }) => status !== null)
  const lines = rows.map(({ id, code, status, title, canRetry }) =>
    `<tr id="${id}"><td><code>${code}</code></td>${status === null ? '' : `<td>${status}</td>`}<td>${inline(title)}</td><td>${canRetry ? 'yes' : 'no'}</td></tr>`)
  return `<div class="wide"><table><thead><tr><th>code</th>${withStatus ? '<th>status</th>' : ''}<th>meaning</th><th>try again</th></tr></thead><tbody>${lines.join('\n')}</tbody></table></div>`
}
