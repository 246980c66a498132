import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { oneOf } from '../protocol/common.ts'
import * as limits from '../limits.ts'

/** One variable of the environment. This table is the only place that knows names, types, defaults and meaning. */
export interface Variable<S extends TSchema = TSchema, D extends string | null = string | null> {
  readonly schema: S
  /** As it would stand in the environment; null: none. */
  readonly fallback: D
  /** For the table of the README: one sentence. */
  readonly about: string
  /** Its value is never shown. */
  readonly secret: boolean
}

function variable<S extends TSchema, const D extends string | null> (schema: S, fallback: D, about: string, options: { secret?: boolean } = {}): Variable<S, D> {
  return { schema, fallback, about, secret: options.secret ?? false }
}

const text = Type.String({ minLength: 1 })
const url = Type.String({ pattern: '^https?://[^/?#@\\s]+[^?#\\s]*$', description: 'an http or https URL without credentials, query or fragment' })
const origins = Type.String({ pattern: '^https?://[^/?#@\\s,*]+(\\s*,\\s*https?://[^/?#@\\s,*]+)*$', description: 'origins like https://ui.example, comma separated, without a path' })
const hosts = Type.String({ pattern: '^(\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9._-]+)(:\\d{1,5})?(\\s*,\\s*(\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9._-]+)(:\\d{1,5})?)*$', description: 'host names, each with a port if only that one is meant, comma separated' })
const onOff = oneOf(['on', 'off'])
const integer = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum })
const day = 24 * 3600_000
const GiB = 1024 ** 3

export const variables = {
  HOST: variable(text, '127.0.0.1', 'Address to listen on; `0.0.0.0` or `::` for every interface'),
  PORT: variable(integer(0, 65_535), '3000', 'Port to listen on; 0 takes a free one'),
  LOG_LEVEL: variable(oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), 'info', 'What goes to the log on stderr'),
  DATA_DIR: variable(text, './data', 'Where sessions, workspaces and the made API key are kept; one server at a time'),
  AUTH: variable(onOff, 'on', '`off` lets everybody in, and is taken only when HOST is a loopback address'),
  API_KEYS: variable(text, null, 'Keys, comma separated: `key`, `name:key` or `name:scopes:key`; none here nor in API_KEYS_FILE: one is made at the first start', { secret: true }),
  API_KEYS_FILE: variable(text, null, 'A file with more of them, one a line, `#` for comments'),
  ALLOWED_HOSTS: variable(hosts, null, 'Further host names that the server answers for'),
  PUBLIC_URL: variable(url, null, 'Where browsers reach the server when a proxy stands before it; its host and origin count as the server\'s own'),
  CORS_ORIGINS: variable(origins, null, 'Origins whose pages may call the server'),
  MODEL: variable(Type.String({ pattern: '^(demo|[a-z][a-z0-9-]{0,63}/\\S+)$', maxLength: limits.modelNameLengthMax, description: 'demo, or openrouter/NAME, openai/NAME, openai-responses/NAME, anthropic/NAME, ollama/NAME, llamacpp/NAME, custom/NAME, or a provider of ecluse.config.json' }), 'demo', 'The model of new sessions, `provider/name`; `demo` answers from a script, without any network'),
  OPENROUTER_API_KEY: variable(text, null, 'For `openrouter/…`', { secret: true }),
  OPENAI_API_KEY: variable(text, null, 'For `openai/…` and `openai-responses/…`', { secret: true }),
  OPENAI_BASE_URL: variable(url, null, 'Where they are, when not at OpenAI'),
  ANTHROPIC_API_KEY: variable(text, null, 'For `anthropic/…`', { secret: true }),
  ANTHROPIC_BASE_URL: variable(url, null, 'Where that is, when not at Anthropic; with or without `/v1`'),
  MODEL_BASE_URL: variable(url, null, 'For `custom/…`: base URL of an OpenAI-compatible server, usually ending in `/v1`'),
  MODEL_API_KEY: variable(text, null, 'For `custom/…`, if that server wants a key', { secret: true }),
  MODEL_REASONING_ECHO: variable(oneOf(['reasoning_content', 'reasoning', 'off']), null, 'For `custom/…`: in which field the model gets its own reasoning back with its calls; empty: as the host is known to want it'),
  OLLAMA_BASE_URL: variable(url, 'http://127.0.0.1:11434/v1', 'For `ollama/…`'),
  LLAMACPP_BASE_URL: variable(url, 'http://127.0.0.1:8080/v1', 'For `llamacpp/…`'),
  MODEL_CONTEXT_WINDOW: variable(integer(1024, 100_000_000), null, 'Tokens that fit into the default model; the conversation is shortened before they are reached'),
  MODEL_MAX_OUTPUT_TOKENS: variable(integer(1, 10_000_000), null, 'Most tokens in one answer of the default model'),
  ECLUSE_CONFIG: variable(text, null, 'A JSON file with providers, models, fallbacks and prices (docs/models.md); when not set, `ecluse.config.json` if it is there'),
  MODEL_CONNECT_TIMEOUT_MS: variable(integer(1, day), String(limits.modelConnectTimeoutMs), 'Longest wait for a connection to the model'),
  MODEL_FIRST_BYTE_TIMEOUT_MS: variable(integer(1, day), String(limits.modelFirstByteTimeoutMs), 'Longest wait for the answer to begin'),
  MODEL_IDLE_TIMEOUT_MS: variable(integer(1, day), String(limits.modelIdleTimeoutMs), 'Longest silence within an answer'),
  MODEL_TOTAL_TIMEOUT_MS: variable(integer(1, day), String(limits.modelTotalTimeoutMs), 'Longest time for one model call'),
  MODEL_MAX_RETRIES: variable(integer(0, 20), String(limits.modelRetriesDefault), 'Further attempts when a model call fails before its answer begins'),
  MODEL_RETRY_BASE_MS: variable(integer(1, day), String(limits.modelRetryBaseMs), 'First wait between attempts; it doubles'),
  MODEL_MAX_RETRY_WAIT_MS: variable(integer(1, day), String(limits.modelRetryWaitMsMax), 'Longest wait between attempts, also when the provider asks for more'),
  POLICY_FILE: variable(text, null, 'A JSON file `{"mode"?, "rules"?: [{"tool", "path"?, "command"?, "decision"}], "network"?: ["HOST", …]}`: the server\'s policy, which no session can loosen'),
  APPROVAL_TIMEOUT_MS: variable(integer(1, limits.approvalTimeoutMsMax), null, 'How long an approval can be given; empty: for ever'),
  RESUME_RUNS: variable(onOff, 'on', 'Whether a restart carries on with the runs that it finds unfinished; `off` ends them as interrupted'),
  HEARTBEAT_MS: variable(integer(10, 3600_000), String(limits.heartbeatMsDefault), 'Time between the comments that keep a silent stream open'),
  DISCONNECT_GRACE_MS: variable(integer(10, 3600_000), String(limits.disconnectGraceMsDefault), 'How long a run sent with `cancelOnDisconnect` goes on when nobody follows it'),
  SHUTDOWN_TIMEOUT_MS: variable(integer(100, 3600_000), String(limits.shutdownTimeoutMs), 'Longest time between SIGTERM and the end of the process'),
  MAX_STEPS: variable(integer(1, 10_000), String(limits.maxStepsMax), 'Most model calls in one run; sessions can only ask for fewer'),
  RUN_TIMEOUT_MS: variable(integer(1, limits.runTimeoutMsMax), String(limits.runTimeoutMsMax), 'Longest time that a run may work; sessions can only ask for less'),
  MAX_TOKENS: variable(integer(1, 1_000_000_000_000), null, 'Most tokens that one run may use; sessions can only ask for fewer. Empty: as many as they ask for'),
  MAX_ACTIVE_RUNS: variable(integer(1, 100_000), String(limits.activeRunsMax), 'Runs at work at once'),
  MAX_STREAMS: variable(integer(1, 1_000_000), String(limits.streamsMax), 'Event streams open at once'),
  BODY_LIMIT_BYTES: variable(integer(1024, GiB / 16), String(limits.bodyBytesMax), 'Largest JSON body'),
  MAX_LOG_BYTES: variable(integer(1024 ** 2, 1024 * GiB), String(limits.logBytesMax), 'Largest event log of one session'),
  MAX_WORKSPACE_BYTES: variable(integer(1024 ** 2, 1024 * GiB), String(limits.workspaceBytesMax), 'Most bytes in one workspace'),
  MAX_WORKSPACE_FILES: variable(integer(1, 10_000_000), String(limits.workspaceFilesMax), 'Most files in one workspace'),
  COMMAND_TIMEOUT_MS: variable(integer(1, day), String(limits.commandTimeoutMsMax), 'Longest time that one command may run, whatever the model asks for'),
  COMMAND_MEMORY_BYTES: variable(integer(16 * 1024 ** 2, 1024 * GiB), String(limits.commandMemoryBytes), 'Most memory of one command, all its processes together'),
  COMMAND_PROCESSES: variable(integer(1, limits.treeProcessesMax - 1), String(limits.commandProcessesMax), 'Most processes of one command')
} as const satisfies Record<string, Variable>

type Table = typeof variables
export type VariableName = keyof Table
/** What stands in the environment, typed, defaults filled in. Null: not set. */
export type Values = { -readonly [K in VariableName]: Static<Table[K]['schema']> | (Table[K]['fallback'] extends null ? null : never) }

/** What a value may be, in words: for faults and for the README. */
export function allowedValues (schema: TSchema): string {
  if (typeof schema.description === 'string') return schema.description
  if (Array.isArray(schema['anyOf'])) return schema['anyOf'].map((branch: TSchema) => String(branch['const'])).join(', ')
  if (schema['type'] === 'integer') return `a whole number from ${schema['minimum']} to ${schema['maximum']}`
  return 'text'
}
