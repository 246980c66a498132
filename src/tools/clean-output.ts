/* eslint-disable no-control-regex -- control characters are what this is about */

/** Escape sequences of terminals: CSI, OSC, other strings with an end, and those of two or three characters. */
const escapes = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[PX^_][^\x1b]*(?:\x1b\\)?|[ -/]*[0-~])?|\x9b[0-?]*[ -/]*[@-~]/g
const otherControls = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g

/**
 * A command's output as a terminal would leave it, for reading: no colours or other escape sequences, of a progress bar
 * only what was written last, no control characters but newline and tab.
 */
export function cleanOutput (text: string): string {
  return text
    .replace(escapes, '')
    .replace(/\r+\n/g, '\n') // before lone ones: it ends a line and wipes nothing
    .replace(/[^\n]*\r[^\n]*/g, lastWritten)
    .replace(/[^\n\x08]\x08/g, '') // one overstruck character; bold text in manuals
    .replace(otherControls, '')
}

/** Each carriage return begins the line anew. */
function lastWritten (line: string): string {
  return line.split('\r').findLast((part) => part !== '') ?? ''
}
