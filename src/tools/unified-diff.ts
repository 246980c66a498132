import { structuredPatch } from 'diff'
import { diffEditLengthMax, diffTimeoutMs } from '../limits.ts'

const context = 3

/**
 * A unified diff that `git apply` takes; null as a side means that there is no file. Empty when both are the same.
 * Bounded: where the difference is too large to work out, all lines between the first and the last difference
 * are shown as replaced.
 */
export function unifiedDiff (path: string, before: string | null, after: string | null): string {
  if (before === after) return ''
  const hunks = hunksOf(linesOf(before ?? ''), linesOf(after ?? ''))
  return [
    `--- ${before === null ? '/dev/null' : `a/${path}`}\n`,
    `+++ ${after === null ? '/dev/null' : `b/${path}`}\n`,
    ...hunks
  ].join('')
}

/** Lines with their ends; the last may have none. */
function linesOf (text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/)
}

function hunksOf (before: string[], after: string[]): string[] {
  // What is the same at both ends costs nothing, so that an edit in a large file is quick.
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const from = Math.max(0, start - context)
  const keep = Math.max(0, end - context)
  const oldPart = before.slice(from, before.length - keep)
  const newPart = after.slice(from, after.length - keep)
  const patch = structuredPatch('', '', oldPart.join(''), newPart.join(''), undefined, undefined,
    { context, maxEditLength: diffEditLengthMax, timeout: diffTimeoutMs })
  if (patch === undefined) return [replaced(oldPart, newPart, from, start - from, end - keep)]
  return patch.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => {
    return `${header(oldStart + from, oldLines, newStart + from, newLines)}${lines.map((line) => `${line}\n`).join('')}`
  })
}

/** One hunk: everything but the lines that are the same at its ends goes and comes anew. */
function replaced (oldPart: readonly string[], newPart: readonly string[], from: number, lead: number, trail: number): string {
  const lines = [
    ...oldPart.slice(0, lead).map((line) => ` ${line}`),
    ...oldPart.slice(lead, oldPart.length - trail).map((line) => `-${line}`),
    ...newPart.slice(lead, newPart.length - trail).map((line) => `+${line}`),
    ...oldPart.slice(oldPart.length - trail).map((line) => ` ${line}`)
  ]
  return header(from + 1, oldPart.length, from + 1, newPart.length) +
    lines.map((line) => line.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`).join('')
}

/** A side without lines is named by the line before it. */
function header (oldStart: number, oldLines: number, newStart: number, newLines: number): string {
  return `@@ -${oldLines === 0 ? oldStart - 1 : oldStart},${oldLines} +${newLines === 0 ? newStart - 1 : newStart},${newLines} @@\n`
}
