import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import type { Duplex } from 'node:stream'
import { performance } from 'node:perf_hooks'
import { commandNiceness, outputGraceMs, sandboxStartMs } from '../../limits.ts'
import type { Owner } from '../walk.ts'
import { Capture } from './capture.ts'
import type { CommandEnd, CommandLimits, CommandResult, RunOptions } from './command-runner.ts'
import { gateHandle, keptArgv } from './keeper.ts'
import { openOutputPipes, type OutputPipe, type OutputPipes } from './output-pipes.ts'
import { withForwarder } from './network/forwarder.ts'
import { filesOf, limitedArgv, sandboxArguments, type Profile } from './profile.ts'
import { SandboxProgress } from './sandbox-status.ts'
import { hasRoom, watch } from './watchdog.ts'

/** What is the same for all runs of a server. */
export interface Sandbox {
  readonly bwrap: string
  /** Where pipes have their names for a moment; the server's own. */
  readonly pipeDirectory: string
  readonly owner: Owner | null
  readonly filter: Buffer
  /** Handles to be covered, and what covers them. */
  readonly strayHandles: readonly number[]
  readonly nullHandle: number
  readonly limits: CommandLimits
}

export interface SandboxRun {
  readonly profile: Profile
  readonly argv: readonly string[]
  readonly timeoutMs: number
}

type Stopped = Exclude<CommandEnd['outcome'], 'exited' | 'sandbox_error'>

const argumentsHandle = 3
const statusHandle = 4
const firstDataHandle = gateHandle + 1

/** Runs `argv` under the profile to its end, or to the first bound that it hits. Never rejects. */
export async function runSandboxed (sandbox: Sandbox, run: SandboxRun, { signal, onChunk }: RunOptions): Promise<CommandResult> {
  const stdout = new Capture()
  const stderr = new Capture()
  const startedAt = performance.now()
  const result = (end: CommandEnd): CommandResult => {
    return { ...end, durationMs: Math.round(performance.now() - startedAt), stdout: stdout.result(), stderr: stderr.result() }
  }
  let child: ChildProcess
  let pipes: OutputPipes
  try {
    if (run.profile.writable && !hasRoom(run.profile.directory, sandbox.limits)) return result({ outcome: 'disk_limit' })
    pipes = await openOutputPipes(sandbox.pipeDirectory, sandbox.owner)
  } catch (error) {
    return result({ outcome: 'sandbox_error', reason: reasonOf(error) })
  }
  if (signal.aborted) {
    discard(pipes)
    return result({ outcome: 'cancelled' })
  }
  try {
    child = start(sandbox, run, pipes)
  } catch (error) {
    discard(pipes)
    return result({ outcome: 'sandbox_error', reason: reasonOf(error) })
  }
  for (const { writer } of [pipes.stdout, pipes.stderr, pipes.status]) closeSync(writer)

  let stopped: Stopped | null = null
  const progress = new SandboxProgress(pipes.status.reader)
  const closeGate = (): void => { child.stdio.at(gateHandle)?.destroy() }
  let lateKill: NodeJS.Timeout | undefined
  const stop = (why: Stopped): void => {
    if (stopped !== null) return
    stopped = why
    closeGate()
    lateKill = setTimeout(() => { child.kill('SIGKILL') }, sandboxStartMs)
  }
  const take = (name: 'stdout' | 'stderr', capture: Capture) => (bytes: Buffer): void => {
    capture.add(bytes)
    onChunk?.(name, bytes)
    if (stdout.bytes + stderr.bytes > sandbox.limits.outputBytes) stop('output_limit')
  }
  const outputs = Promise.all([drain(pipes.stdout, take('stdout', stdout)), drain(pipes.stderr, take('stderr', stderr))])
  const onAbort = (): void => { stop('cancelled') }
  signal.addEventListener('abort', onAbort, { once: true })
  const timer = setTimeout(() => { stop('timeout') }, run.timeoutMs)
  const endWatch = child.pid === undefined ? () => {} : watch(child.pid, run.profile.directory, run.profile.writable, sandbox.limits, stop)
  const failure = await ended(child)
  closeGate()
  clearTimeout(timer)
  clearTimeout(lateKill)
  endWatch()
  signal.removeEventListener('abort', onAbort)
  await within(outputGraceMs, Promise.all([outputs, progress.ended]))
  for (const stream of [pipes.stdout.reader, pipes.stderr.reader, pipes.status.reader, ...child.stdio]) stream?.destroy()
  if (stopped !== null) return result({ outcome: stopped })
  const exitCode = failure === null ? progress.exitCode : null
  if (exitCode !== null) return result({ outcome: 'exited', exitCode, signal: signalOf(exitCode) })
  return result({ outcome: 'sandbox_error', reason: failure ?? (stderr.result().head.toString().trim() || 'The sandbox ended without a word.') })
}

function start (sandbox: Sandbox, { profile, argv }: SandboxRun, pipes: OutputPipes): ChildProcess {
  const contents = [...filesOf(profile).map(({ content }) => content), sandbox.filter]
  const handles = contents.map((_content, index) => firstDataHandle + index)
  const filter = handles.at(-1) ?? firstDataHandle
  const stdio: Array<'ignore' | 'pipe' | number> = ['ignore', pipes.stdout.writer, pipes.stderr.writer, 'pipe', pipes.status.writer, 'pipe', ...handles.map(() => 'pipe' as const)]
  for (const stray of sandbox.strayHandles) {
    while (stdio.length <= stray) stdio.push('ignore')
    if (stray > filter) stdio[stray] = sandbox.nullHandle
  }
  const limited = limitedArgv(profile.networkSocket === null ? argv : withForwarder(argv), sandbox.limits)
  // bwrap's own environment can be read inside as that of process 1. An empty `env` alone does not keep it empty: what
  // measures or traces the server puts variables of its own into every child. The keeper takes them away.
  const child = spawn(...keptArgv([sandbox.bwrap, '--args', String(argumentsHandle), '--', ...limited], [argumentsHandle, statusHandle, ...handles]), {
    cwd: '/',
    env: {},
    stdio,
    ...(sandbox.owner === null ? {} : { uid: sandbox.owner.uid, gid: sandbox.owner.gid })
  })
  lowerPriority(child.pid)
  open(child.stdio.at(gateHandle))
  // Arguments go through a pipe, because a command line can be read inside too.
  const args = sandboxArguments(profile, { status: statusHandle, files: handles, filter })
  give(child.stdio[argumentsHandle], Buffer.from(args.map((argument) => `${argument}\0`).join('')))
  for (const [index, content] of contents.entries()) give(child.stdio[firstDataHandle + index], content)
  return child
}

/** The server goes before its commands; they inherit it, because the keeper waits for the gate. */
function lowerPriority (pid: number | undefined): void {
  if (pid === undefined) return
  try {
    setPriority(pid, commandNiceness)
  } catch {
    // It has ended already, which its exit tells.
  }
}

/** It stays open until the run has ended or is to end; were the server killed, the kernel would close it. */
function open (gate: ChildProcess['stdio'][number]): void {
  const pipe = gate as Duplex // what Node makes of 'pipe' on any handle
  pipe.on('error', () => {})
  pipe.write('begin\n')
  pipe.resume()
}

/** What bwrap does not read because it failed is nobody's loss. */
function give (stream: ChildProcess['stdio'][number], bytes: Buffer): void {
  if (stream === null || stream === undefined) return
  const pipe = stream as Duplex // what Node makes of 'pipe' on any handle
  pipe.on('error', () => {})
  pipe.end(bytes)
  pipe.resume()
}

/** Resolves at the end of the stream, also at a bad one. */
async function drain ({ reader }: OutputPipe, take: (bytes: Buffer) => void): Promise<void> {
  await new Promise<void>((resolve) => {
    reader.on('data', take)
    reader.on('error', () => {})
    reader.on('close', resolve)
  })
}

/** Null when it ran; the reason when it could not be started. */
async function ended (child: ChildProcess): Promise<string | null> {
  return await new Promise((resolve) => {
    child.on('error', (error) => { if (child.pid === undefined) resolve(reasonOf(error)) })
    child.on('exit', () => { resolve(null) })
  })
}

async function within (ms: number, promise: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  await Promise.race([promise, new Promise((resolve) => { timer = setTimeout(resolve, ms) })])
  clearTimeout(timer)
}

function discard (pipes: OutputPipes): void {
  for (const { reader, writer } of [pipes.stdout, pipes.stderr, pipes.status]) {
    reader.destroy()
    closeSync(writer)
  }
}

function signalOf (exitCode: number): string | null {
  return Object.entries(constants.signals).find(([, number]) => number === exitCode - 128)?.[0] ?? null
}

function reasonOf (error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
