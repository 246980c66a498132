import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract, type Extract } from 'tar-stream'
import { ToolFailure } from '../../errors.ts'
import { archiveBytesMax, archiveFreeBytes, archiveRatioMax } from '../../limits.ts'
import { errnoOf } from '../failures.ts'
import { invalidArchive } from './check-entry.ts'

/** The entries of a tar.gz; `ended` settles when all of it has been read, or is why it cannot be. */
export interface Inflating { readonly entries: Extract, readonly ended: Promise<void> }

/**
 * Reads a tar.gz as it comes. Bounded: bytes that come in, bytes that come out of them (as many as `bytesOutMax`),
 * and the ratio of the two, so that a bomb costs what it sends.
 */
export function inflate (source: AsyncIterable<Uint8Array>, bytesOutMax: number, signal: AbortSignal): Inflating {
  const entries = extract()
  const count = { in: 0, out: 0 }
  const ended = pipeline(
    async function * () { // not the source itself: a pipeline destroys what it is given, and a connection has yet to carry the answer
      for await (const piece of source) {
        count.in += piece.length
        if (count.in > archiveBytesMax) throw new ToolFailure('too_large', `An archive may have at most ${archiveBytesMax} bytes.`)
        yield piece
      }
    },
    createGunzip(),
    async function * (pieces: AsyncIterable<Buffer>) {
      for await (const piece of pieces) {
        count.out += piece.length
        if (count.out > bytesOutMax) throw new ToolFailure('quota_exceeded', 'What is in the archive does not fit into the workspace.')
        if (count.out > archiveFreeBytes && count.out > count.in * archiveRatioMax) throw invalidArchive('The archive expands too much.')
        yield piece
      }
      if (count.out < 1024) throw invalidArchive('The archive has no end.')
    },
    entries,
    { signal }
  ).catch((error: unknown) => { throw reworded(error) })
  return { entries, ended }
}

/** What the libraries say of a stream that is no tar.gz. */
function reworded (error: unknown): unknown {
  if (error instanceof ToolFailure || !(error instanceof Error)) return error
  const code = errnoOf(error)
  if (code?.startsWith('Z_') === true) return invalidArchive('The body is not gzip, or broken.')
  if (code === undefined && /^(Invalid tar header|Unexpected end of data|Invalid header|Header exceeds)/.test(error.message)) return invalidArchive('What is in the gzip is no tar archive, or broken.')
  return error
}
