import { randomUUID } from 'node:crypto'
import { chownSync, lstatSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { errnoOf } from '../failures.ts'
import type { CommandResult, SandboxStatus } from './command-runner.ts'
import type { CommandNetwork } from './network/command-network.ts'
import { networkProbeScript } from './network/forwarder.ts'
import { runConnected } from './network/run-connected.ts'
import { explain, explainMissing, judgeNetworkProbe, judgeProbe, probeScript, sandboxPrograms } from './probe.ts'
import type { Sandbox } from './run-sandboxed.ts'

export interface SandboxCheck {
  /** Null: there is none for this system. */
  readonly sandbox: Sandbox | null
  readonly network: CommandNetwork | null
  readonly dataDir: string
  /** Runs a script with `directory` as its workspace. */
  look (sandbox: Sandbox, directory: string, script: string, networkSocket: string | null): Promise<CommandResult>
}

export interface Checked {
  readonly status: SandboxStatus
  /** Why commands do not reach the proxy; null: they do, or it was not tried. */
  readonly networkFault: string | null
}

/** Makes a sandbox and looks at it from inside. */
export async function checkSandbox ({ sandbox, network, dataDir, look }: SandboxCheck): Promise<Checked> {
  if (sandbox === null) {
    return unavailable({ available: false, reason: `There is no sandbox for ${process.platform} on ${process.arch}.`, advice: 'Run the server on Linux, on x64 or arm64.' })
  }
  const missing = [sandbox.bwrap, ...Object.keys(sandboxPrograms)].find((path) => lstatSync(path, { throwIfNoEntry: false }) === undefined)
  if (missing !== undefined) return unavailable(explainMissing(missing))
  // Where the workspaces are, so that it shows whether the sandbox's user can reach them.
  const directory = join(dataDir, 'workspaces', `.probe-${randomUUID()}`)
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const { owner } = sandbox
    if (owner !== null) chownSync(directory, owner.uid, owner.gid)
    // A full disk is a matter of each command, not of the sandbox.
    const roomy = { ...sandbox, limits: { ...sandbox.limits, freeDiskBytes: 0 } }
    const status = judgeProbe(await look(roomy, directory, probeScript, null))
    if (!status.available || network === null) return { status, networkFault: null }
    const seen = await runConnected(network, async (socket) => await look(roomy, directory, networkProbeScript, socket))
    return { status, networkFault: judgeNetworkProbe(seen) }
  } catch (error) {
    return unavailable(explain(`${errnoOf(error) ?? 'An error'} in ${error instanceof Error && 'syscall' in error ? String(error.syscall) : 'the check'}`))
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function unavailable (status: SandboxStatus): Checked {
  return { status, networkFault: null }
}
