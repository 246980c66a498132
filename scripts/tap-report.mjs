/**
 * Reads TAP as the runner writes it, line by line: one line for a test file that passed, everything but the passing
 * assertions of one that failed, and the runner's own counts at the end.
 */
export function createTapReport (print) {
  let block = []
  let counts = null

  function onLine (line) {
    const result = /^(not ok|ok) \d+ - (\S.*?)(?: # (.*))?$/.exec(line)
    if (result !== null) {
      const [, outcome, name, directive] = result
      if (outcome === 'not ok') for (const kept of block.filter(tellsOfFailure)) print(kept)
      print(`${outcome === 'ok' ? 'ok    ' : 'not ok'} ${name}${directive === undefined ? '' : ` (${directive.replace('time=', '')})`}`)
      block = []
      return
    }
    const summary = /^# \{ (total: .*) \}$/.exec(line)
    if (summary !== null) counts = Object.fromEntries(summary[1].split(', ').map((pair) => pair.split(': ')).map(([key, value]) => [key, Number(value)]))
    if (line.startsWith(' ')) block.push(line)
  }

  /** Null: the runner ended without a summary. */
  function summary () {
    if (counts === null) return null
    return { passed: counts.pass ?? 0, failed: counts.fail ?? 0, skipped: (counts.skip ?? 0) + (counts.todo ?? 0) }
  }

  return { onLine, summary }
}

function tellsOfFailure (line) {
  return !/^\s*(ok \d+|\d+\.\.\d+|# Subtest: .*\.test\.js|# time=|# No coverage|\}|$)/.test(line)
}
