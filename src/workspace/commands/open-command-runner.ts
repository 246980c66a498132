import { randomUUID } from 'node:crypto'
import { chownSync, closeSync, lstatSync, mkdirSync, openSync, rmSync } from 'node:fs'
import { access, mkdir, readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import * as defaults from '../../limits.ts'
import { errnoOf } from '../failures.ts'
import { workspaceDirectory } from '../open-workspaces.ts'
import { parsePath } from '../paths.ts'
import type { CommandLimits, CommandResult, CommandRunner, NetworkStatus, RunOptions, SandboxRequest, SandboxStatus } from './command-runner.ts'
import { ignoreFilePath } from './command-runner.ts'
import { CommandNetwork } from './network/command-network.ts'
import type { NetworkRule } from './network/destination.ts'
import { networkProbeScript } from './network/forwarder.ts'
import type { ProxyLimits } from './network/proxy.ts'
import { runConnected } from './network/run-connected.ts'
import { notRun } from './not-run.ts'
import { explain, explainMissing, judgeNetworkProbe, judgeProbe, probeScript, sandboxPrograms } from './probe.ts'
import { shellArgv, systemDirectories, type Profile, type SandboxFile } from './profile.ts'
import { runSandboxed, type Sandbox } from './run-sandboxed.ts'
import { sandboxOwner } from './sandbox-user.ts'
import { seccompProgram } from './seccomp.ts'
import { Slots } from './slots.ts'
import { strayHandles } from './stray-handles.ts'
import { syscallTables } from './syscalls.ts'

export interface CommandRunnerOptions {
  /** That of `openWorkspaces`, which must have been given `sandboxOwner()`. */
  readonly dataDir: string
  /** At once over all sessions. Default: as many as there are cores. */
  readonly atOnce?: number
  readonly limits?: Partial<CommandLimits>
  /** For commands, beside the fixed variables: what the operator has named, never the server's own. */
  readonly environment?: Readonly<Record<string, string>>
  /** Of the host, to be seen inside: tools that are not in /usr. */
  readonly readOnlyPaths?: readonly string[]
  /** Where commands may connect to, over HTTP and HTTPS. Left out or empty: nowhere. */
  readonly network?: readonly NetworkRule[]
  readonly networkLimits?: Partial<ProxyLimits>
  /** Default: /usr/bin/bwrap, which the profiles of hosts are made for. */
  readonly bwrap?: string
}

const ripgrepPath = '/opt/rg'

export const defaultCommandLimits: CommandLimits = {
  memoryBytes: defaults.commandMemoryBytes,
  processMemoryBytes: defaults.processMemoryBytes,
  diskBytes: defaults.commandDiskBytes,
  diskFiles: defaults.commandDiskFiles,
  freeDiskBytes: defaults.freeDiskBytesMin,
  outputBytes: defaults.commandOutputBytes,
  fileBytes: defaults.commandFileBytes,
  processes: defaults.commandProcessesMax,
  openFiles: defaults.commandOpenFilesMax,
  cpuSeconds: defaults.commandCpuSeconds
}

/** Opens the sandbox and tries it. Where it does not work the runner says so in `status`, and no `run` starts anything. */
export async function openCommandRunner (options: CommandRunnerOptions): Promise<CommandRunner> {
  const pipeDirectory = join(options.dataDir, 'pipes')
  await mkdir(pipeDirectory, { recursive: true, mode: 0o700 })
  const runner = new BubblewrapRunner(options, pipeDirectory, await findRipgrep())
  await runner.probe()
  return runner
}

/** Null: the package has no program for this machine. */
async function findRipgrep (): Promise<string | null> {
  try {
    const { rgPath } = await import('@vscode/ripgrep')
    await access(rgPath)
    return rgPath
  } catch {
    return null
  }
}

class BubblewrapRunner implements CommandRunner {
  readonly limits: CommandLimits
  readonly hasRipgrep: boolean
  readonly #options: CommandRunnerOptions
  readonly #ripgrepFile: string | null
  /** Five megabytes, read by the first search. */
  #ripgrep: Promise<Buffer> | null = null
  readonly #sandbox: Sandbox | null
  readonly #network: CommandNetwork | null
  #networkFault: string | null = null
  readonly #nullHandle: number
  readonly #systemDirectories = systemDirectories()
  readonly #slots: { readonly shell: Slots, readonly ripgrep: Slots }
  readonly #running = new Set<Promise<unknown>>()
  readonly #closing = new AbortController()
  #status: SandboxStatus = { available: false, reason: 'The sandbox has not been tried yet.', advice: 'Wait for the server to start.' }

  constructor (options: CommandRunnerOptions, pipeDirectory: string, ripgrepFile: string | null) {
    this.limits = { ...defaultCommandLimits, ...options.limits }
    this.hasRipgrep = ripgrepFile !== null
    this.#options = options
    this.#ripgrepFile = ripgrepFile
    this.#nullHandle = openSync('/dev/null', 'r+')
    const atOnce = options.atOnce ?? availableParallelism()
    // Of their own: a search takes milliseconds, and must not wait for builds to end.
    this.#slots = { shell: new Slots(atOnce), ripgrep: new Slots(atOnce) }
    const owner = sandboxOwner()
    this.#network = (options.network ?? []).length === 0 ? null : new CommandNetwork(options.network ?? [], join(options.dataDir, 'sockets'), owner, options.networkLimits)
    const table = syscallTables[process.arch]
    this.#sandbox = process.platform !== 'linux' || table === undefined
      ? null
      : {
          bwrap: options.bwrap ?? '/usr/bin/bwrap',
          pipeDirectory,
          owner,
          filter: seccompProgram(table),
          strayHandles: strayHandles(),
          nullHandle: this.#nullHandle,
          limits: this.limits
        }
  }

  get status (): SandboxStatus { return this.#status }

  get network (): NetworkStatus {
    const opened = this.#networkFault === null ? this.#network?.rules ?? [] : []
    return { destinations: opened.map(({ text }) => text), fault: this.#networkFault }
  }

  async probe (): Promise<SandboxStatus> {
    this.#status = await this.#judge()
    return this.#status
  }

  async run (request: SandboxRequest, options: RunOptions): Promise<CommandResult> {
    if (!this.#status.available) return notRun({ outcome: 'sandbox_error', reason: this.#status.reason })
    if (request.program.type === 'ripgrep' && this.#ripgrepFile === null) return notRun({ outcome: 'sandbox_error', reason: 'Ripgrep is not installed.' })
    const signal = AbortSignal.any([options.signal, this.#closing.signal])
    try {
      const slot = await this.#slots[request.program.type].take(request.sessionId, signal)
      try {
        return await this.#track(this.#start(request, { ...options, signal }))
      } finally {
        slot.release()
      }
    } catch (error) {
      if (signal.aborted) return notRun({ outcome: 'cancelled' })
      throw error
    }
  }

  async close (): Promise<void> {
    if (this.#closing.signal.aborted) return
    this.#status = { available: false, reason: 'The server is shutting down.', advice: 'Ask again when it is back.' }
    this.#closing.abort()
    await Promise.allSettled(this.#running)
    this.#network?.close()
    closeSync(this.#nullHandle)
  }

  async #start ({ sessionId, program, cwd, timeoutMs }: SandboxRequest, options: RunOptions): Promise<CommandResult> {
    const sandbox = this.#sandbox
    if (sandbox === null) return notRun({ outcome: 'sandbox_error', reason: 'There is no sandbox for this system.' })
    const directory = workspaceDirectory(this.#options.dataDir, sessionId)
    if (program.type === 'shell') {
      const run = async (networkSocket: string | null): Promise<CommandResult> => {
        return await this.#runIn(sandbox, { directory, writable: true, cwd, files: [], networkSocket }, shellArgv(program.command), timeoutMs, options)
      }
      return this.#network === null || this.#networkFault !== null ? await run(null) : await runConnected(this.#network, run)
    }
    this.#ripgrep ??= readFile(this.#ripgrepFile ?? '')
    const files: SandboxFile[] = [
      { path: ripgrepPath, content: await this.#ripgrep, executable: true },
      { path: ignoreFilePath, content: Buffer.from(program.ignoreFile) }
    ]
    return await this.#runIn(sandbox, { directory, writable: false, cwd, files, networkSocket: null }, [ripgrepPath, ...program.argv], timeoutMs, options)
  }

  async #runIn (
    sandbox: Sandbox, profile: Pick<Profile, 'directory' | 'writable' | 'cwd' | 'files' | 'networkSocket'>, argv: string[], timeoutMs: number, options: RunOptions
  ): Promise<CommandResult> {
    return await runSandboxed(sandbox, {
      argv,
      timeoutMs,
      profile: {
        ...profile,
        environment: this.#options.environment ?? {},
        readOnlyPaths: this.#options.readOnlyPaths ?? [],
        systemDirectories: this.#systemDirectories
      }
    }, options)
  }

  async #track<T> (running: Promise<T>): Promise<T> {
    this.#running.add(running)
    try {
      return await running
    } finally {
      this.#running.delete(running)
    }
  }

  async #judge (): Promise<SandboxStatus> {
    if (this.#sandbox === null) {
      return { available: false, reason: `There is no sandbox for ${process.platform} on ${process.arch}.`, advice: 'Run the server on Linux, on x64 or arm64.' }
    }
    const missing = [this.#sandbox.bwrap, ...Object.keys(sandboxPrograms)].find((path) => lstatSync(path, { throwIfNoEntry: false }) === undefined)
    if (missing !== undefined) return explainMissing(missing)
    // Where the workspaces are, so that it shows whether the sandbox's user can reach them.
    const directory = join(this.#options.dataDir, 'workspaces', `.probe-${randomUUID()}`)
    try {
      mkdirSync(directory, { recursive: true, mode: 0o700 })
      const { owner } = this.#sandbox
      if (owner !== null) chownSync(directory, owner.uid, owner.gid)
      // A full disk is a matter of each command, not of the sandbox.
      const sandbox = { ...this.#sandbox, limits: { ...this.limits, freeDiskBytes: 0 } }
      const look = async (script: string, networkSocket: string | null): Promise<CommandResult> => {
        const profile = { directory, writable: true, cwd: parsePath('.'), files: [], networkSocket }
        return await this.#track(this.#runIn(sandbox, profile, shellArgv(script), defaults.probeTimeoutMs, { signal: this.#closing.signal }))
      }
      const status = judgeProbe(await look(probeScript, null))
      if (status.available && this.#network !== null) {
        this.#networkFault = judgeNetworkProbe(await runConnected(this.#network, async (socket) => await look(networkProbeScript, socket)))
      }
      return status
    } catch (error) {
      return explain(`${errnoOf(error) ?? 'An error'} in ${error instanceof Error && 'syscall' in error ? String(error.syscall) : 'the check'}`)
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  }
}
