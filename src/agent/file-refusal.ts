import { AgentError, ToolFailure } from '../errors.ts'
import type { RequestCode, ToolCode } from '../protocol/error-codes.ts'

/** How a request is refused for what a workspace says. What is not here is a fault of ours. */
const requestCodeOf: Partial<Record<ToolCode, RequestCode>> = {
  invalid_path: 'invalid_path',
  outside_workspace: 'invalid_path',
  name_too_long: 'invalid_path',
  not_found: 'file_not_found',
  symlink: 'not_a_file',
  not_regular: 'not_a_file',
  is_directory: 'not_a_file',
  not_directory: 'not_a_file',
  already_exists: 'not_a_file',
  not_empty: 'directory_not_empty',
  changed: 'file_changed',
  too_large: 'payload_too_large',
  invalid_archive: 'invalid_archive',
  quota_exceeded: 'workspace_full',
  disk_full: 'storage_full'
}

/** Runs `action`; what a workspace refuses becomes the refusal of the request. */
export async function refusing<T> (action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (error) {
    throw error instanceof ToolFailure ? refusalOf(error) : error
  }
}

function refusalOf (failure: ToolFailure): AgentError {
  return new AgentError(requestCodeOf[failure.code] ?? 'internal', failure.message, {
    ...(failure.suggestion === null ? {} : { suggestion: failure.suggestion }), cause: failure
  })
}
