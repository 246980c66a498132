/**
 * Reads TAP as one test file writes it, line by line: its counts, and what to show of a file that failed, which is
 * everything but the assertions that passed.
 */
export function createTapReport () {
  const told = []
  let counts = null

  function onLine (line) {
    const summary = /^# \{ (total: .*) \}$/.exec(line)
    if (summary !== null) counts = Object.fromEntries(summary[1].split(', ').map((pair) => pair.split(': ')).map(([key, value]) => [key, Number(value)]))
    else if (tellsOfFailure(line)) told.push(line)
  }

  /** @param code of the process; null: it was killed. A file that ends without its counts, or badly, has failed. */
  function result (code) {
    const { pass = 0, fail = 0, skip = 0, todo = 0 } = counts ?? {}
    const ok = counts !== null && fail === 0 && code === 0
    return { ok, passed: pass, failed: ok ? 0 : Math.max(fail, 1), skipped: skip + todo, told: ok ? [] : told }
  }

  return { onLine, result }
}

function tellsOfFailure (line) {
  return !/^\s*(ok \d+|\d+\.\.\d+|TAP version \d+|# time=|\}|$)/.test(line)
}
