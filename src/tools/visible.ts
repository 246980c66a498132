import { blankRunMax, emptyLinesMax } from '../limits.ts'

export interface Visible {
  readonly text: string
  /** There was something that a reader would not have seen, or not for what it is. */
  readonly unusual: boolean
}

/**
 * Control, format (bidi, zero-width, tags), private, unassigned and lone surrogate characters, variation selectors and
 * letters that show as nothing (default ignorable), line and paragraph separators, empty braille, spaces but the plain one.
 */
const unseen = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]|(?! )\p{Zs}/gu
const blankRun = new RegExp(`[ \\t]{${blankRunMax + 1},}`, 'g')
const emptyLines = new RegExp(`\\n(?:[ \\t]*\\n){${emptyLinesMax + 1},}`, 'g')

/**
 * Text as a person is shown it: every character that cannot be seen stands as a mark like `⟨U+202E⟩`, and blanks that
 * would push text out of sight are counted. Newline and tab stay; a carriage return at the end of a line is `␍`,
 * which is nothing unusual.
 */
export function visible (text: string): Visible {
  let unusual = false
  const mark = (shown: string): string => {
    unusual = true
    return shown
  }
  const marked = text
    .replace(/\r\n/g, '␍\n')
    .replace(unseen, (char) => char === '\n' || char === '\t' ? char : mark(`⟨U+${codePoint(char)}⟩`))
    .replace(emptyLines, (run) => mark(`\n⟨${run.split('\n').length - 2} empty lines⟩\n`))
    .replace(blankRun, (run) => mark(`⟨${run.length} spaces⟩`))
  return { text: marked, unusual }
}

function codePoint (char: string): string {
  return (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
}
