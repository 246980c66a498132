import { requestCodes, runCodes, toolCodes } from '../../protocol/error-codes.ts'
import { escapeHtml, page } from './page.ts'

/** The tables of codes. `#code` leads to the code of a problem, `#run-code` and `#tool-code` to the others. */
export function errorsPage (): string {
  const answers = Object.entries(requestCodes).map(([code, { status, canRetry, title }]) => row(code, [code, String(status), title, yes(canRetry)]))
  return page('Errors · Écluse', `<h1>Errors</h1>
<p>Refused requests are answered with <code>application/problem+json</code> (RFC 9457). Branch on <code>code</code>: it never changes its meaning.</p>
<table><tr><th>code<th>status<th>meaning<th>can be retried</tr>
${answers.join('\n')}
</table>
<h2>Runs that failed</h2>
<p>In <code>run.error</code> and in <code>run_end</code>.</p>
${settled('run', runCodes)}
<h2>Tool calls that failed</h2>
<p>What the model is told, and <code>tool_call_end</code> shows.</p>
${settled('tool', toolCodes)}`)
}

function settled (kind: string, codes: Record<string, { canRetry: boolean, title: string }>): string {
  const rows = Object.entries(codes).map(([code, { canRetry, title }]) => row(`${kind}-${code}`, [code, title, yes(canRetry)]))
  return `<table><tr><th>code<th>meaning<th>can be retried</tr>\n${rows.join('\n')}\n</table>`
}

function row (id: string, cells: string[]): string {
  return `<tr id="${id}">${cells.map((cell, index) => index === 0 ? `<td><code>${escapeHtml(cell)}</code>` : `<td>${escapeHtml(cell)}`).join('')}</tr>`
}

const yes = (value: boolean) => value ? 'yes' : 'no'
