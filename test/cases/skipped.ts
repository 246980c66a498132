/**
 * Cases that are run elsewhere, and `should` cases that this project decides otherwise, each with its reason. A `must`
 * is never in here for the second.
 */
export const skipped: Readonly<Record<string, string>> = {
  'e-10': 'what a command prints: with the tests of commands',
  'e-11': 'background processes of a command: with the tests of commands',
  'e-12': 'the standard input of a command: with the tests of commands',
  'e-13': 'the process tree of a command: with the tests of commands',
  'e-19': 'the environment of a command: with the tests of commands'
}
