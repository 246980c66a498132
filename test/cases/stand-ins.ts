import type { Reply } from '../support/model-server/model-server.ts'
import { ourArguments } from '../tools/file-cases.ts'

type Call = NonNullable<Reply['tool_calls']>[number]

/**
 * A reply of a case as this project's model server takes it. A stream with a gate is held after its deltas, since the
 * cases wait for its text before they let it go on.
 *
 * The calls of a case with this project's tools. Where a command only stands for "something dangerous", a write stands
 * for it here, so that the case needs no sandbox: `touch F` writes F, any other command a file named for its call, and
 * the content is the command's text, so that each call keeps a text and a result of its own.
 */
export function ourReply (reply: Reply): Reply {
  if (reply.stream !== undefined && reply.gate === true) {
    const { gate, ...open } = reply
    return { ...open, gate_after: reply.stream.length }
  }
  return reply.tool_calls === undefined ? reply : { ...reply, tool_calls: reply.tool_calls.map(ourCall) }
}

function ourCall (call: Call): Call {
  if (typeof call.arguments === 'string') return call
  const args = { ...call.arguments } as Record<string, unknown> // JSON of the case
  if (call.name !== 'run_command') return { ...call, arguments: ourArguments({ tool: call.name, args }) }
  return { ...call, name: 'write_file', arguments: writeFor(call.id ?? '', args) }
}

export function writeFor (callId: string, { command }: Readonly<Record<string, unknown>>): { path: string, content: string } {
  const content = String(command)
  return { path: /\btouch (\S+)$/.exec(content)?.[1] ?? `${callId}.txt`, content }
}
