import { Type } from '@sinclair/typebox'
import { ToolFailure } from '../errors.ts'
import {
  commandTextBytesMax, commandTimeoutMsDefault, failedOutputShown, networkBytesMax, networkDestinationsShown, stderrShown, stdoutShown
} from '../limits.ts'
import { quote } from '../workspace/failures.ts'
import type { CommandResult, CommandRunner } from '../workspace/commands/command-runner.ts'
import type { RelPath, Workspace } from '../workspace/workspace.ts'
import { shownOutput } from './captured-text.ts'
import { afterMs } from './command-timing.ts'
import { defineTool } from './define-tool.ts'
import { locate, notFound, type Located } from './locate.ts'
import { OutputFeed } from './output-feed.ts'
import type { Tool, ToolResult } from './tool.ts'

/**
 * A command that ran to its end is a result, whatever its exit code: the model reads the code and the output and goes on. A
 * command that was stopped at a bound is an error with the output so far.
 */
export function runCommandTool (runner: CommandRunner): Tool {
  const longestMs = runner.limits.timeoutMs
  const usualMs = Math.min(commandTimeoutMsDefault, longestMs)
  return defineTool({
    name: 'run_command',
    description: `Runs a bash command in a sandbox: ${networkInWords(runner)}, no input, the workspace at /workspace, nothing else of this host but its programs. ` +
      'Nothing is kept between commands but files in the workspace; processes in the background end with the command. ' +
      `Stopped after timeoutMs (${usualMs} when left out). Long output keeps its beginning and its end.`,
    parameters: Type.Object({
      command: Type.String({ description: 'What bash shall run' }),
      cwd: Type.Optional(Type.String({ description: 'Directory relative to the workspace; left out, the workspace itself' })),
      timeoutMs: Type.Optional(Type.Integer({ minimum: 1, maximum: longestMs, description: 'Milliseconds' }))
    }),
    dangerous: true,
    async prepare (args, { workspace }) {
      refuseUnavailable(runner)
      checkCommand(args.command)
      const { path, paths, notes } = await locateDirectory(workspace, args.cwd)
      const { destinations } = runner.network
      return {
        paths,
        command: args.command,
        // What was approved with one network is not run with another.
        ...(destinations.length === 0 ? {} : { resolved: { network: [...destinations] } }),
        preview: {
          summary: `Run a command in ${path === '' ? 'the workspace' : path}`,
          command: args.command,
          notes: [...notes, ...boundsOf(runner, path, args.timeoutMs ?? usualMs)]
        }
      }
    },
    async execute (args, _plan, { workspace, signal, onOutput }) {
      refuseUnavailable(runner)
      checkCommand(args.command)
      const { path } = await locateDirectory(workspace, args.cwd)
      const feed = new OutputFeed(onOutput)
      const result = await runner.run({
        sessionId: workspace.sessionId,
        program: { type: 'shell', command: args.command },
        cwd: path,
        timeoutMs: args.timeoutMs ?? usualMs
      }, { signal, onChunk: (stream, bytes) => { feed.add(stream, bytes) } })
      feed.end()
      return resultOf(runner, result)
    },
    // What it did cannot be told from outside, and a command is never repeated.
    async recognise () {
      return { status: 'unknown' }
    }
  })
}

function refuseUnavailable ({ status }: CommandRunner): void {
  if (status.available) return
  throw new ToolFailure('sandbox_unavailable', `Commands cannot be run here: ${status.reason}`, 'Use the tools for files.')
}

function checkCommand (command: string): void {
  if (command.trim() === '') throw new ToolFailure('invalid_arguments', '"command" is empty.')
  if (command.includes('\0')) throw new ToolFailure('invalid_arguments', '"command" contains a NUL character.')
  const bytes = Buffer.byteLength(command)
  if (bytes > commandTextBytesMax) {
    throw new ToolFailure('too_large', `"command" has ${bytes} bytes; at most ${commandTextBytesMax} can be run.`, 'Write a script with write_file and run that.')
  }
}

async function locateDirectory (workspace: Workspace, cwd: string | undefined): Promise<Located> {
  const located = await locate(workspace, cwd ?? '.')
  const entry = await workspace.stat(located.path)
  if (entry === null) throw await notFound(workspace, located.path)
  if (entry.type !== 'directory') throw new ToolFailure('not_directory', `${quote(located.path)} is not a directory.`)
  return located
}

function boundsOf (runner: CommandRunner, path: RelPath, timeoutMs: number): string[] {
  const { limits, network: { destinations } } = runner
  return [
    `Directory: /workspace${path === '' ? '' : `/${path}`}`,
    `Limits: ${timeoutMs} ms, ${mebibytes(limits.memoryBytes)} of memory, ${mebibytes(limits.diskBytes)} of disk, ${mebibytes(limits.outputBytes)} of output; ` +
      `${destinations.length === 0 ? 'no network' : `${mebibytes(networkBytesMax)} of network`}.`,
    ...(destinations.length === 0 ? [] : [`Network: HTTP and HTTPS to ${destinations.join(', ')}; nothing else. What it sends there leaves this host.`])
  ]
}

/** A list of many names would be sent with every request: the refusal of one names them all. */
function networkInWords ({ network: { destinations } }: CommandRunner): string {
  if (destinations.length === 0) return 'no network'
  const more = destinations.length - networkDestinationsShown
  const shown = destinations.slice(0, networkDestinationsShown).join(', ')
  return `network only by HTTP and HTTPS through the proxy that the environment names, and only to ${shown}${more > 0 ? ` and ${more} more` : ''}`
}

function resultOf (runner: CommandRunner, result: CommandResult): ToolResult {
  if (result.outcome !== 'exited') throw failureOf(runner, result)
  const out = shownOutput(result.stdout, stdoutShown)
  const err = shownOutput(result.stderr, stderrShown)
  const signal = result.signal === null ? '' : ` (${result.signal})`
  return {
    content: [
      `[exit code ${result.exitCode}${signal} ${afterMs(result.durationMs)}]`,
      ...refusalsOf(result).map((line) => `[network: ${line}]`),
      ...(out.text === '' ? [] : ['[stdout]', out.text]),
      ...(err.text === '' ? [] : ['[stderr]', err.text]),
      ...(out.text === '' && err.text === '' ? ['[no output]'] : [])
    ].map((part) => part.replace(/\n$/, '')).join('\n'),
    diff: null,
    verified: null,
    truncated: out.omitted > 0 || err.omitted > 0,
    seen: []
  }
}

function failureOf ({ limits }: CommandRunner, result: Exclude<CommandResult, { outcome: 'exited' }>): ToolFailure {
  const soFar = outputSoFar(result)
  switch (result.outcome) {
    case 'timeout':
      return new ToolFailure('timeout', `The command was stopped ${afterMs(result.durationMs)}.${soFar}`, 'Do less at once, or give it more time with timeoutMs.')
    case 'cancelled':
      return new ToolFailure('cancelled', `The command was stopped.${soFar}`)
    case 'output_limit':
      return new ToolFailure('limit_exceeded', `The command was stopped: it wrote more than ${mebibytes(limits.outputBytes)}.${soFar}`, 'Write less, or into a file.')
    case 'memory_limit':
      return new ToolFailure('limit_exceeded', `The command was stopped: it used more than ${mebibytes(limits.memoryBytes)} of memory.${soFar}`, 'Do less at once.')
    case 'disk_limit':
      return new ToolFailure('limit_exceeded', `The command was stopped: there is no room for it on the disk, where it may take ${mebibytes(limits.diskBytes)}.${soFar}`, 'Write less; delete what is not needed.')
    case 'sandbox_error':
      return new ToolFailure('sandbox_unavailable', 'The sandbox could not be made, so the command was not run.', 'Use the tools for files.')
    default: return result satisfies never
  }
}

function outputSoFar (result: CommandResult): string {
  const { stdout, stderr } = result
  const parts = [shownOutput(stdout, failedOutputShown).text, shownOutput(stderr, failedOutputShown).text].filter((text) => text.trim() !== '')
  const refused = refusalsOf(result).map((line) => ` Network: ${line}.`).join('')
  return parts.length === 0 ? refused : `${refused} Its output so far:\n${parts.join('\n')}`
}

function refusalsOf ({ refusals = [] }: CommandResult): string[] {
  return refusals.length === 0 ? [] : [`not reached: ${refusals.join('; ')}`]
}

function mebibytes (bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MiB`
}
