import { searchResultBytesMax } from '../limits.ts'

/** As many lines, from the first, as a result may hold. */
export function fitLines (lines: readonly string[]): { lines: string[], cut: boolean } {
  const fitting: string[] = []
  let bytes = 0
  for (const line of lines) {
    bytes += Buffer.byteLength(line) + 1
    if (bytes > searchResultBytesMax) return { lines: fitting, cut: true }
    fitting.push(line)
  }
  return { lines: fitting, cut: false }
}
