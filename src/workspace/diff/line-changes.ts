import { diffArrays } from 'diff'
import { diffFileEditMax, diffFileTimeoutMs } from '../../limits.ts'

/** Lines in a row that stay, go or come. */
export interface LineRun { readonly kind: ' ' | '-' | '+', readonly lines: readonly string[] }

/** Lines with their line ends; the last one may have none. */
export function splitLines (text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

/** How `before` becomes `after`. Where they differ too much to be compared in time, the middle is replaced as a whole. */
export function lineChanges (before: readonly string[], after: readonly string[]): LineRun[] {
  const shared = Math.min(before.length, after.length)
  let head = 0
  while (head < shared && before[head] === after[head]) head++
  let tail = 0
  while (tail < shared - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++
  const old = before.slice(head, before.length - tail)
  const fresh = after.slice(head, after.length - tail)
  return [
    { kind: ' ' as const, lines: before.slice(0, head) },
    ...changesBetween(old, fresh),
    { kind: ' ' as const, lines: before.slice(before.length - tail) }
  ].filter(({ lines }) => lines.length > 0)
}

function changesBetween (before: string[], after: string[]): LineRun[] {
  const replaced: LineRun[] = [{ kind: '-', lines: before }, { kind: '+', lines: after }]
  if (before.length === 0 || after.length === 0) return replaced
  const found = diffArrays(before, after, { maxEditLength: diffFileEditMax, timeout: diffFileTimeoutMs })
  return found?.map(({ added, removed, value }) => ({ kind: added ? '+' : removed ? '-' : ' ', lines: value })) ?? replaced
}

/** Unified hunks with `context` lines around each change. */
export function * hunks (runs: readonly LineRun[], context: number): Generator<string, void, undefined> {
  const lines = runs.flatMap(({ kind, lines }) => lines.map((line) => ({ kind, line })))
  let oldLine = 1
  let newLine = 1
  for (let at = 0; ;) {
    const change = nextChange(lines, at)
    if (change < 0) return
    const begin = Math.max(at, change - context)
    oldLine += begin - at
    newLine += begin - at
    const end = endOfHunk(lines, change, context)
    const body = lines.slice(begin, end)
    const oldCount = body.filter(({ kind }) => kind !== '+').length
    const newCount = body.filter(({ kind }) => kind !== '-').length
    // With no lines of a side the number is that of the line before.
    yield `@@ -${oldLine - (oldCount === 0 ? 1 : 0)},${oldCount} +${newLine - (newCount === 0 ? 1 : 0)},${newCount} @@\n`
    yield body.map(({ kind, line }) => kind + (line.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`)).join('')
    oldLine += oldCount
    newLine += newCount
    at = end
  }
}

function nextChange (lines: ReadonlyArray<{ kind: LineRun['kind'] }>, from: number): number {
  let at = from
  while (at < lines.length && lines[at]?.kind === ' ') at++
  return at < lines.length ? at : -1
}

/** A gap of unchanged lines up to twice the context does not end a hunk. */
function endOfHunk (lines: ReadonlyArray<{ kind: LineRun['kind'] }>, change: number, context: number): number {
  let last = change
  for (let at = change + 1; at < lines.length && at - last <= 2 * context + 1; at++) {
    if (lines[at]?.kind !== ' ') last = at
  }
  return Math.min(lines.length, last + 1 + context)
}
