import { constants, fstatSync, openSync } from 'node:fs'
import { pino, type DestinationStream } from 'pino'
import { logBufferLength } from './limits.ts'

/**
 * Stderr may be a file on a full disk, or a pipe that nobody reads: what it does not take waits for the next line within
 * a bound, ends nothing and stops nothing.
 */
export function stderrDestination (): DestinationStream {
  const destination = pino.destination({ fd: stderrHandle(), sync: true, maxLength: logBufferLength, retryEAGAIN: () => false })
  destination.on('error', () => {})
  return destination
}

/** A full pipe would block the process with each line. Opened again it refuses instead, for this process alone. */
function stderrHandle (): number {
  try {
    return fstatSync(2).isFIFO() ? openSync('/proc/self/fd/2', constants.O_WRONLY | constants.O_NONBLOCK) : 2
  } catch {
    return 2 // no such system, or a pipe of somebody else's
  }
}
