const blockLength = 1_500

/**
 * Cuts Markdown at empty lines outside of code into blocks, so that of a text that grows only the last one is read
 * again. Pure; the blocks together are the text.
 */
export function blocksOf (text: string): string[] {
  if (text.length < blockLength * 2) return [text]
  const blocks: string[] = []
  let start = 0
  let at = 0
  let fenced = false
  for (const line of text.split('\n')) {
    if (/^\s{0,3}(```|~~~)/.test(line)) fenced = !fenced
    at += line.length + 1
    if (!fenced && line.trim() === '' && at - start > blockLength) {
      blocks.push(text.slice(start, at))
      start = at
    }
  }
  if (start < text.length) blocks.push(text.slice(start))
  return blocks
}
