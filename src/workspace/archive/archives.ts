import type { JsonObject } from '../../protocol/common.ts'
import type { Baseline } from '../baseline.ts'

/** An archive that was unpacked beside the workspace, whole and on the disk, and can take its place. */
export interface ReceivedArchive {
  readonly id: string
  readonly files: number
  readonly bytes: number
  /** Names at the top of it, sorted. */
  readonly names: readonly string[]
  /**
   * Puts it in the place of the workspace. `mayGo` is called in the same tick: what it throws stops the exchange and
   * leaves everything as it was. From here on a crash leaves an `InterruptedExchange` with `record`, until `settle`.
   */
  exchange (record: JsonObject, mayGo: () => void): Promise<void>
  /** The exchange is in the log: what it replaced is removed. */
  settle (): Promise<void>
  /** Removes what was received and not exchanged. */
  discard (): Promise<void>
}

/** An exchange that a crash interrupted. Exactly one of `complete` (then `settle`) and `discard` must be called. */
export interface InterruptedExchange {
  readonly sessionId: string
  readonly id: string
  readonly record: JsonObject
  /** The workspace is the new one already, or half way there: it can only be completed. */
  readonly begun: boolean
  complete (): Promise<void>
  settle (): Promise<void>
  discard (): Promise<void>
}

/** Whole workspaces that come in at once. */
export interface Archives {
  /**
   * Unpacks a tar.gz beside the workspace, within the quota.
   * @param options.keepBaseline a copy of what it brings becomes the session's baseline with the exchange
   * @throws ToolFailure invalid_archive, quota_exceeded; what `source` throws
   */
  receive (sessionId: string, source: AsyncIterable<Uint8Array>, options: { keepBaseline: boolean, signal: AbortSignal }): Promise<ReceivedArchive>
  /** What the last process left; uploads that had not come to an exchange are removed. Called once, before anything else. */
  interrupted (): AsyncGenerator<InterruptedExchange, void, undefined>
  /** What the last archive brought that kept a baseline. Null: none did. */
  baseline (sessionId: string): Promise<Baseline | null>
  /** Removes all that is kept for a session. */
  remove (sessionId: string, signal: AbortSignal): Promise<void>
}
