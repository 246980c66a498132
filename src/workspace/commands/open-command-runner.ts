import { closeSync, openSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { probeTimeoutMs } from '../../limits.ts'
import { workspaceDirectory } from '../open-workspaces.ts'
import { parsePath } from '../paths.ts'
import { checkSandbox } from './check-sandbox.ts'
import type { CommandLimits, CommandResult, CommandRunner, NetworkStatus, RunOptions, SandboxRequest, SandboxStatus } from './command-runner.ts'
import { defaultCommandLimits } from './default-limits.ts'
import { CommandNetwork } from './network/command-network.ts'
import type { NetworkRule } from './network/destination.ts'
import type { ProxyLimits } from './network/proxy.ts'
import { runConnected } from './network/run-connected.ts'
import { notRun } from './not-run.ts'
import { shellArgv, systemDirectories, type Profile } from './profile.ts'
import { findRipgrep, ripgrepPath, type RipgrepProgram } from './ripgrep-program.ts'
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

/** Opens the sandbox and tries it. Where it does not work the runner says so in `status`, and no `run` starts anything. */
export async function openCommandRunner (options: CommandRunnerOptions): Promise<CommandRunner> {
  const pipeDirectory = join(options.dataDir, 'pipes')
  await mkdir(pipeDirectory, { recursive: true, mode: 0o700 })
  const runner = new BubblewrapRunner(options, pipeDirectory, await findRipgrep())
  await runner.probe()
  return runner
}

class BubblewrapRunner implements CommandRunner {
  readonly limits: CommandLimits
  readonly hasRipgrep: boolean
  readonly #options: CommandRunnerOptions
  readonly #ripgrep: RipgrepProgram | null
  readonly #sandbox: Sandbox | null
  readonly #network: CommandNetwork | null
  #networkFault: string | null = null
  readonly #nullHandle: number
  readonly #systemDirectories = systemDirectories()
  readonly #slots: { readonly shell: Slots, readonly ripgrep: Slots }
  readonly #running = new Set<Promise<unknown>>()
  readonly #closing = new AbortController()
  #status: SandboxStatus = { available: false, reason: 'The sandbox has not been tried yet.', advice: 'Wait for the server to start.' }

  constructor (options: CommandRunnerOptions, pipeDirectory: string, ripgrep: RipgrepProgram | null) {
    this.limits = { ...defaultCommandLimits, ...options.limits }
    this.hasRipgrep = ripgrep !== null
    this.#options = options
    this.#ripgrep = ripgrep
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
    const { status, networkFault } = await checkSandbox({
      sandbox: this.#sandbox,
      network: this.#network,
      dataDir: this.#options.dataDir,
      look: async (sandbox, directory, script, networkSocket) => {
        const profile = { directory, writable: true, cwd: parsePath('.'), files: [], networkSocket }
        return await this.#track(this.#runIn(sandbox, profile, shellArgv(script), probeTimeoutMs, { signal: this.#closing.signal }))
      }
    })
    this.#status = status
    this.#networkFault = networkFault
    return status
  }

  async run (request: SandboxRequest, options: RunOptions): Promise<CommandResult> {
    if (!this.#status.available) return notRun({ outcome: 'sandbox_error', reason: this.#status.reason })
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
    if (this.#ripgrep === null) return notRun({ outcome: 'sandbox_error', reason: 'Ripgrep is not installed.' })
    const files = await this.#ripgrep.files(program.ignoreFile)
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
}
