import { Type, type Static } from '@sinclair/typebox'
import { nullable } from './common.ts'

interface CodeFacts { status: number, canRetry: boolean, title: string }

/** Codes of answers to requests. A code never changes its meaning; clients branch on it. */
export const requestCodes = {
  invalid_request: { status: 400, canRetry: false, title: 'The request is not valid' },
  invalid_json: { status: 400, canRetry: false, title: 'The body is not JSON' },
  unknown_model: { status: 400, canRetry: false, title: 'No such model here' },
  unauthorized: { status: 401, canRetry: false, title: 'No valid API key' },
  scope_missing: { status: 403, canRetry: false, title: 'The API key may not do this' },
  origin_not_allowed: { status: 403, canRetry: false, title: 'This origin may not call the server' },
  invalid_path: { status: 400, canRetry: false, title: 'The path names nothing that can be in a workspace' },
  not_found: { status: 404, canRetry: false, title: 'No such route' },
  file_not_found: { status: 404, canRetry: false, title: 'Nothing is at this path of the workspace' },
  session_not_found: { status: 404, canRetry: false, title: 'No such session' },
  run_not_found: { status: 404, canRetry: false, title: 'No such run' },
  approval_not_found: { status: 404, canRetry: false, title: 'No such approval' },
  method_not_allowed: { status: 405, canRetry: false, title: 'The route does not know this method' },
  not_acceptable: { status: 406, canRetry: false, title: 'No answer in an accepted form' },
  request_timeout: { status: 408, canRetry: true, title: 'The request came too slowly' },
  run_active: { status: 409, canRetry: true, title: 'A run is active in this session' },
  no_active_run: { status: 409, canRetry: false, title: 'No run is active in this session' },
  approval_required: { status: 409, canRetry: false, title: 'The run waits for an approval' },
  run_cancelled: { status: 409, canRetry: false, title: 'The run was cancelled' },
  already_decided: { status: 409, canRetry: false, title: 'The approval is decided already' },
  approval_expired: { status: 409, canRetry: false, title: 'The approval has expired' },
  approval_cancelled: { status: 409, canRetry: false, title: 'The approval was cancelled with its run' },
  digest_required: { status: 409, canRetry: false, title: 'The plan has changed: name the digest that was seen' },
  digest_mismatch: { status: 409, canRetry: false, title: 'The plan is not the one that was seen' },
  not_a_file: { status: 409, canRetry: false, title: 'Something else than a regular file is at or in this path' },
  directory_not_empty: { status: 409, canRetry: false, title: 'The directory is not empty' },
  file_changed: { status: 409, canRetry: true, title: 'The file is changing' },
  precondition_failed: { status: 412, canRetry: false, title: 'The file is not as the request expects it' },
  invalid_archive: { status: 422, canRetry: false, title: 'The archive cannot be taken' },
  invalid_arguments: { status: 422, canRetry: false, title: 'The arguments do not fit the tool' },
  idempotency_key_reused: { status: 422, canRetry: false, title: 'The idempotency key belongs to another request' },
  payload_too_large: { status: 413, canRetry: false, title: 'The body is too large' },
  diff_too_large: { status: 413, canRetry: false, title: 'Too much has changed for one patch' },
  unsupported_media_type: { status: 415, canRetry: false, title: 'The media type is not supported' },
  host_not_allowed: { status: 421, canRetry: false, title: 'The server does not answer for this host' },
  run_failed: { status: 424, canRetry: false, title: 'The run failed' },
  too_many_queued: { status: 429, canRetry: true, title: 'Too many runs are queued in this session' },
  headers_too_large: { status: 431, canRetry: false, title: 'The headers are too large' },
  workspace_full: { status: 507, canRetry: false, title: 'The workspace is full' },
  log_full: { status: 507, canRetry: false, title: 'The log of this session is full' },
  storage_full: { status: 507, canRetry: true, title: 'The disk is full' },
  storage_unavailable: { status: 503, canRetry: true, title: 'The store does not answer' },
  too_many_runs: { status: 503, canRetry: true, title: 'Too many runs are active' },
  too_many_streams: { status: 503, canRetry: true, title: 'Too many streams are open' },
  shutting_down: { status: 503, canRetry: true, title: 'The server is shutting down' },
  log_newer: { status: 503, canRetry: false, title: 'The session was written by a newer version' },
  internal: { status: 500, canRetry: true, title: 'Internal error' }
} as const satisfies Record<string, CodeFacts>
export type RequestCode = keyof typeof requestCodes

interface SettledFacts { canRetry: boolean, title: string }

/** Codes of a run that failed, in `run.error` and `run_end.error`. */
export const runCodes = {
  approval_required: { canRetry: false, title: 'A call needed an approval and the message said `onApproval: fail`' },
  interrupted: { canRetry: true, title: 'The server stopped while the run was active' },
  run_timeout: { canRetry: true, title: 'The run took longer than `runTimeoutMs`' },
  loop_detected: { canRetry: false, title: 'The model made the same call again and again' },
  max_steps: { canRetry: true, title: 'The run reached `maxSteps` without an answer' },
  budget: { canRetry: true, title: 'The run reached its budget' },
  log_full: { canRetry: false, title: 'The log of the session is full' },
  storage_unavailable: { canRetry: true, title: 'The store did not answer' },
  model_rate_limited: { canRetry: true, title: 'The provider limits the rate of requests' },
  model_overloaded: { canRetry: true, title: 'The provider is overloaded or broken' },
  model_quota: { canRetry: false, title: 'The provider\'s quota is used up' },
  model_auth: { canRetry: false, title: 'The provider refuses the key' },
  model_not_found: { canRetry: false, title: 'The provider does not know the model' },
  model_bad_request: { canRetry: false, title: 'The provider refuses the request' },
  context_overflow: { canRetry: false, title: 'The conversation does not fit the model\'s context window' },
  content_filter: { canRetry: false, title: 'The provider\'s filter stopped the answer' },
  model_connect_timeout: { canRetry: true, title: 'No connection to the model in time' },
  model_first_byte_timeout: { canRetry: true, title: 'The model did not begin to answer in time' },
  model_idle_timeout: { canRetry: true, title: 'The model fell silent in mid-answer' },
  model_total_timeout: { canRetry: true, title: 'The model call took too long' },
  model_connection: { canRetry: true, title: 'The connection to the model failed' },
  model_incomplete: { canRetry: true, title: 'The answer broke off' },
  model_output_limit: { canRetry: false, title: 'The answer was cut at the output limit' },
  model_empty: { canRetry: true, title: 'The model answered with nothing' },
  model_not_an_api: { canRetry: false, title: 'What answered is no model API' },
  internal: { canRetry: true, title: 'Internal error' }
} as const satisfies Record<string, SettledFacts>
export type RunCode = keyof typeof runCodes

/** Codes of a failed tool call, in `tool_call_end.error` and in what the model is told. */
export const toolCodes = {
  unknown_tool: { canRetry: true, title: 'No tool has this name' },
  invalid_arguments: { canRetry: true, title: 'The arguments do not fit the schema' },
  invalid_path: { canRetry: true, title: 'No usable path' },
  outside_workspace: { canRetry: false, title: 'The path leads out of the workspace' },
  symlink: { canRetry: false, title: 'The path goes through a symbolic link' },
  not_regular: { canRetry: false, title: 'Neither a regular file nor a directory' },
  name_too_long: { canRetry: false, title: 'A name or the path is too long' },
  not_found: { canRetry: true, title: 'Nothing is there' },
  already_exists: { canRetry: true, title: 'Something is there already' },
  is_directory: { canRetry: true, title: 'It is a directory' },
  not_directory: { canRetry: true, title: 'It is no directory' },
  not_empty: { canRetry: true, title: 'The directory is not empty' },
  not_text: { canRetry: false, title: 'The file is not UTF-8 text' },
  too_large: { canRetry: true, title: 'Too large' },
  invalid_archive: { canRetry: false, title: 'The archive is broken, or brings what a workspace does not take' },
  quota_exceeded: { canRetry: false, title: 'The workspace is full' },
  disk_full: { canRetry: false, title: 'The disk is full' },
  no_match: { canRetry: true, title: 'The text to replace is not there' },
  not_unique: { canRetry: true, title: 'The text to replace is there more than once' },
  changed: { canRetry: true, title: 'The file has changed' },
  verification_failed: { canRetry: true, title: 'What was read back is not what was written' },
  denied: { canRetry: false, title: 'A person denied the call' },
  denied_by_policy: { canRetry: false, title: 'The policy denies the call' },
  approval_expired: { canRetry: false, title: 'Nobody decided in time' },
  cancelled: { canRetry: false, title: 'The run was cancelled' },
  interrupted: { canRetry: false, title: 'The server stopped while the call ran' },
  not_run: { canRetry: false, title: 'The run ended before the call could start' },
  sandbox_unavailable: { canRetry: false, title: 'Commands cannot be run here' },
  timeout: { canRetry: true, title: 'The call took too long' },
  limit_exceeded: { canRetry: true, title: 'The command used more than it may' },
  internal: { canRetry: true, title: 'Internal error' }
} as const satisfies Record<string, SettledFacts>
export type ToolCode = keyof typeof toolCodes

/** RFC 9457, the body of every answer that is not a success. */
export const Problem = Type.Object({
  type: Type.String({ format: 'uri-reference' }),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String(),
  code: Type.String({ description: 'Stable, from the table of codes' }),
  canRetry: Type.Boolean(),
  suggestion: nullable(Type.String()),
  requestId: Type.String(),
  errors: Type.Optional(Type.Array(Type.Object({
    pointer: Type.String({ description: 'JSON pointer into the request' }), detail: Type.String()
  })))
}, { title: 'Problem', additionalProperties: true })
export type Problem = Static<typeof Problem>
