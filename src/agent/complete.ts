import { ToolFailure } from '../errors.ts'
import { ModelError } from '../model/model.ts'
import type { CompletionRequest } from '../tools/tool.ts'
import type { Drive } from './drive.ts'
import { decidePolicy } from './policy/decide-policy.ts'
import type { CallState } from './state.ts'

/**
 * A tool's question to the run's model, beside the conversation. The model sees there what it could read itself and
 * nothing more: a path whose changing policy denies, or whose reading it does not simply allow, does not go out.
 * @throws ToolFailure denied_by_policy, too_large, internal; the reason of the drive's signal
 */
export async function complete (drive: Drive, call: CallState, request: CompletionRequest): Promise<string> {
  if (!mayShow(drive, call.tool, request.paths)) {
    throw new ToolFailure('denied_by_policy', 'The policy of this session does not allow this here. Nothing was done.', 'Do without it, or tell the person that the policy stands in the way.')
  }
  const model = drive.context.models.get(drive.run?.model ?? '')
  if (model === undefined) throw new ToolFailure('internal', 'The model of this run is not offered any more.')
  try {
    const stream = model.stream({ messages: [{ role: 'system', content: request.system }, { role: 'user', content: request.user }], tools: [] }, drive.signal)
    let next = await stream.next()
    while (next.done !== true) next = await stream.next()
    drive.planning.spend(call.callId, next.value.usage)
    return next.value.text
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    drive.context.logger.warn({ sessionId: drive.live.id, callId: call.callId, code: error.code }, 'the model could not be asked for a plan')
    if (error.code === 'context_overflow') throw new ToolFailure('too_large', 'This does not fit the model\'s context window. Nothing was done.')
    throw new ToolFailure('internal', `The model could not be asked (${error.code}). Nothing was done.`)
  }
}

function mayShow (drive: Drive, tool: string, paths: readonly string[]): boolean {
  const { serverPolicy } = drive.context
  const decide = (tool: string, dangerous: boolean) => decidePolicy(serverPolicy, drive.state.policy, { tool, dangerous, paths, command: null, effects: [] })
  return decide(tool, true) !== 'deny' && decide('read_file', false) === 'allow'
}
