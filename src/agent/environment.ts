import type { SessionState } from './state.ts'

/**
 * What changes from turn to turn, for the end of the user's message: the system prompt itself never changes,
 * so the model's KV cache holds.
 */
export function environmentNote (state: SessionState, now: string): string {
  const lines = [`Date: ${now.slice(0, 10)}`]
  if (state.changedFiles.length > 0) {
    const more = state.changedFilesOmitted > 0 ? ` and ${state.changedFilesOmitted} more` : ''
    lines.push(`Files that people changed since your last turn: ${state.changedFiles.map((path) => JSON.stringify(path)).join(', ')}${more}`)
  }
  return `<environment>\n${lines.join('\n')}\n</environment>`
}
