import type { RelPath } from '../workspace.ts'
import type { Captured } from './capture.ts'

/** Whether commands can be run here, found out by running one. */
export type SandboxStatus =
  | { readonly available: true, readonly level: 'full' }
  | { readonly available: false, readonly reason: string, readonly advice: string }

/** Where commands may connect to. */
export interface NetworkStatus {
  /** As the operator wrote them; empty: commands have no network. */
  readonly destinations: readonly string[]
  /** Why there is none although the operator opened one; null otherwise. */
  readonly fault: string | null
}

/** Bounds of one command that an operator may change; what stands in `limits.ts` otherwise. */
export interface CommandLimits {
  /** The longest that a command may run. */
  readonly timeoutMs: number
  /** Of all processes of a command together, resident. */
  readonly memoryBytes: number
  /** Of one process, its data segment: the kernel refuses more. */
  readonly processMemoryBytes: number
  /** By which the free space of the workspace's file system may shrink while a command runs. */
  readonly diskBytes: number
  /** By which its free inodes may shrink. */
  readonly diskFiles: number
  /** Below it no command is started, and those that run are stopped. */
  readonly freeDiskBytes: number
  /** Of stdout and stderr together. */
  readonly outputBytes: number
  /** Of one file that it writes. */
  readonly fileBytes: number
  readonly processes: number
  readonly openFiles: number
  /** Of one process. */
  readonly cpuSeconds: number
}

export interface SandboxRequest {
  readonly sessionId: string
  readonly program:
    | { readonly type: 'shell', readonly command: string }
    /** Ripgrep with a read-only workspace; `ignoreFile` is the content of the file at `ignoreFilePath` in the sandbox. */
    | { readonly type: 'ripgrep', readonly argv: readonly string[], readonly ignoreFile: string }
  readonly cwd: RelPath
  readonly timeoutMs: number
}

export interface RunOptions {
  readonly signal: AbortSignal
  /** Output as it comes. The bytes are valid during the call only. */
  readonly onChunk?: (stream: 'stdout' | 'stderr', bytes: Buffer) => void
}

export type CommandEnd =
  /** `signal` as shells tell it: an exit code above 128. */
  | { readonly outcome: 'exited', readonly exitCode: number, readonly signal: string | null }
  | { readonly outcome: 'timeout' | 'cancelled' | 'output_limit' | 'memory_limit' | 'disk_limit' }
  /** The sandbox could not be made; the command has not run, and is never run without. */
  | { readonly outcome: 'sandbox_error', readonly reason: string }

export type CommandResult = CommandEnd & {
  /** Since the sandbox was started; waiting for a turn does not count. */
  readonly durationMs: number
  readonly stdout: Captured
  readonly stderr: Captured
  /** Destinations that it could not reach, and why, in words. Left out: it had no network. */
  readonly refusals?: readonly string[]
}

/**
 * Runs programs in a sandbox of their own: no network but what the operator lists, nothing of the host but read-only system directories, an
 * environment of its own, the session's workspace at `/workspace`. Nothing is left of a run but what it wrote there: all of
 * its processes, also those in the background, end with it. There is no way to run anything without the sandbox.
 */
export interface CommandRunner {
  /** As the last probe found it. */
  readonly status: SandboxStatus
  readonly limits: CommandLimits
  /** As the last probe found it. */
  readonly network: NetworkStatus
  /** Ripgrep was found: `program: ripgrep` can be run where commands can. */
  readonly hasRipgrep: boolean
  /** Runs the whole profile with checks of its own, again. */
  probe (): Promise<SandboxStatus>
  /** Never rejects for what the program does. One at a time for each session and type of program; more wait. */
  run (request: SandboxRequest, options: RunOptions): Promise<CommandResult>
  /** Stops what runs and waits for it. */
  close (): Promise<void>
}

/** Where a ripgrep request finds its `ignoreFile`. */
export const ignoreFilePath = '/opt/search-ignore'
