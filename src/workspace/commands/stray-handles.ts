import { readdirSync, readFileSync } from 'node:fs'

const O_CLOEXEC = 0o2000000

/**
 * Descriptors that the server inherited and every child would: whoever started it left them open. Node's own close
 * themselves, so they are looked for once, at the start.
 */
export function strayHandles (): number[] {
  return readdirSync('/proc/self/fdinfo').map(Number).filter((handle) => handle > 2 && !closesOnExec(handle))
}

function closesOnExec (handle: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${handle}`, 'utf8'))?.[1]
    return flags === undefined || (Number.parseInt(flags, 8) & O_CLOEXEC) !== 0
  } catch {
    return true // the handle of the listing itself is closed by now
  }
}
