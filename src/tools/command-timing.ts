/** As it stands in the first line of a result, and in the error of a command that was stopped. */
export function afterMs (durationMs: number): string { return `after ${durationMs} ms` }

/** A result of `run_command` without its duration, which is another one each time. */
export function withoutTiming (text: string): string {
  return text.replace(/^(\[exit code \d+(?: \(\w+\))?|The command was stopped) after \d+ ms/, '$1')
}
