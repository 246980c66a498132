export interface DiffLine {
  readonly kind: 'file' | 'hunk' | 'added' | 'removed' | 'same' | 'note'
  readonly text: string
  readonly before: number | null
  readonly after: number | null
}

/** A unified diff as lines with their numbers. */
export function parseDiff (diff: string): DiffLine[] {
  const lines: DiffLine[] = []
  let before = 0
  let after = 0
  let inHunk = false
  for (const line of diff.replace(/\n$/, '').split('\n')) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line)
    if (hunk !== null) {
      [before, after, inHunk] = [Number(hunk[1]), Number(hunk[2]), true]
      lines.push({ kind: 'hunk', text: line, before: null, after: null })
    } else if (line.startsWith('diff ') || !inHunk) {
      inHunk = false
      if (line !== '') lines.push({ kind: 'file', text: line, before: null, after: null })
    } else if (line.startsWith('+')) lines.push({ kind: 'added', text: line.slice(1), before: null, after: after++ })
    else if (line.startsWith('-')) lines.push({ kind: 'removed', text: line.slice(1), before: before++, after: null })
    else if (line.startsWith('\\')) lines.push({ kind: 'note', text: line, before: null, after: null })
    else lines.push({ kind: 'same', text: line.slice(1), before: before++, after: after++ })
  }
  return lines
}

/** The changes within the whole file that they are made to. `text` is the file before. */
export function wholeDiff (diff: string, text: string): DiffLine[] {
  const file = text.split('\n')
  if (file.at(-1) === '') file.pop()
  const lines: DiffLine[] = []
  let shift = 0
  let next = 1
  const upTo = (end: number): void => {
    for (; next < end && next <= file.length; next++) lines.push({ kind: 'same', text: file[next - 1] ?? '', before: next, after: next + shift })
  }
  for (const line of parseDiff(diff)) {
    if (line.kind === 'file' || line.kind === 'hunk') continue
    if (line.before !== null) upTo(line.before)
    else if (line.after !== null) upTo(line.after - shift)
    lines.push(line)
    if (line.before !== null) next = line.before + 1
    if (line.kind === 'added') shift++
    if (line.kind === 'removed') shift--
  }
  upTo(file.length + 1)
  return lines
}

/** How many lines come and go. */
export function countsOf (lines: readonly DiffLine[]): { added: number, removed: number } {
  return { added: lines.filter(({ kind }) => kind === 'added').length, removed: lines.filter(({ kind }) => kind === 'removed').length }
}
