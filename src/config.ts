import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { readValues, type Environment } from './config/read-values.ts'
import type { Values } from './config/variables.ts'
import { Policy, type RunLimits } from './protocol/common.ts'
import type { OwnNames } from './routes/edge/hosts.ts'
import { parseKeys, type ApiKey } from './routes/edge/keys.ts'

/** What the model layer needs to know. */
export interface ModelConfig {
  /** `provider/name`, or `demo`. */
  readonly defaultName: string
  readonly openrouterApiKey: string | null
  readonly openaiApiKey: string | null
  readonly customBaseUrl: string | null
  readonly customApiKey: string | null
  /** Null: by what is known of the host. */
  readonly customReasoningEcho: 'reasoning_content' | 'reasoning' | 'off' | null
  readonly ollamaBaseUrl: string
  readonly llamacppBaseUrl: string
  readonly connectTimeoutMs: number
  readonly firstByteTimeoutMs: number
  readonly idleTimeoutMs: number
  readonly totalTimeoutMs: number
  readonly maxRetries: number
  readonly retryBaseMs: number
  readonly maxRetryWaitMs: number
}

const ServerPolicy = Type.Object({ mode: Type.Optional(Policy.properties.mode), rules: Policy.properties.rules }, { additionalProperties: false })
/** The rules that no session can loosen, and the mode that sessions start with. */
export type ServerPolicy = Static<typeof ServerPolicy>

/** The operator's ceilings. */
export interface Ceilings {
  readonly maxSteps: number
  readonly runTimeoutMs: number
  readonly maxActiveRuns: number
  readonly maxStreams: number
  readonly bodyBytes: number
  readonly logBytes: number
  readonly workspaceBytes: number
  readonly workspaceFiles: number
}

export interface Config {
  readonly host: string
  readonly port: number
  readonly logLevel: string
  /** Absolute. */
  readonly dataDir: string
  readonly auth: 'on' | 'off'
  /** Configured keys; empty: one is made. */
  readonly keys: readonly ApiKey[]
  readonly own: OwnNames
  readonly heartbeatMs: number
  readonly disconnectGraceMs: number
  readonly shutdownTimeoutMs: number
  readonly model: ModelConfig
  readonly policy: ServerPolicy
  readonly approvalTimeoutMs: RunLimits['approvalTimeoutMs']
  readonly resumeRuns: boolean
  readonly ceilings: Ceilings
  /** Node's own `UV_USE_IO_URING`: with it, paths of workspaces cannot be confined. */
  readonly ioUring: string | undefined
  /** What the operator should know though nothing is wrong. */
  readonly notes: readonly string[]
}

/** The configuration is not usable. */
export class ConfigError extends Error {
  readonly faults: readonly string[]

  constructor (faults: readonly string[]) {
    super(`The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${faults.map((fault) => `  ${fault}`).join('\n')}`)
    this.name = 'ConfigError'
    this.faults = faults
  }
}

/**
 * Reads the configuration from the environment and from `.env` in `directory`; the environment wins.
 * @throws ConfigError with all the faults at once
 */
export function loadConfig (environment: Environment, directory: string): Config {
  const faults: string[] = []
  const dotEnv = readText(path.join(directory, '.env'), '.env', faults, { optional: true })
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined))
  const { values, faults: valueFaults } = readValues({ ...(dotEnv === null ? {} : parseEnv(dotEnv)), ...given })
  faults.push(...valueFaults)
  const keys = readKeys(values, directory, faults)
  const policy = readPolicy(values, directory, faults)
  faults.push(...crossFaults(values))
  if (faults.length > 0) throw new ConfigError(faults)
  return configOf(values, { keys, policy, directory, ioUring: environment['UV_USE_IO_URING'] })
}

function configOf (values: Values, read: { keys: ApiKey[], policy: ServerPolicy, directory: string, ioUring: string | undefined }): Config {
  return {
    host: values.HOST,
    port: values.PORT,
    logLevel: values.LOG_LEVEL,
    dataDir: path.resolve(read.directory, values.DATA_DIR),
    auth: values.AUTH,
    keys: read.keys,
    own: {
      allowedHosts: list(values.ALLOWED_HOSTS),
      publicOrigin: values.PUBLIC_URL === null ? null : new URL(values.PUBLIC_URL).origin,
      corsOrigins: list(values.CORS_ORIGINS).map((origin) => new URL(origin).origin)
    },
    heartbeatMs: values.HEARTBEAT_MS,
    disconnectGraceMs: values.DISCONNECT_GRACE_MS,
    shutdownTimeoutMs: values.SHUTDOWN_TIMEOUT_MS,
    model: {
      defaultName: values.MODEL,
      openrouterApiKey: values.OPENROUTER_API_KEY,
      openaiApiKey: values.OPENAI_API_KEY,
      customBaseUrl: values.MODEL_BASE_URL,
      customApiKey: values.MODEL_API_KEY,
      customReasoningEcho: values.MODEL_REASONING_ECHO,
      ollamaBaseUrl: values.OLLAMA_BASE_URL,
      llamacppBaseUrl: values.LLAMACPP_BASE_URL,
      connectTimeoutMs: values.MODEL_CONNECT_TIMEOUT_MS,
      firstByteTimeoutMs: values.MODEL_FIRST_BYTE_TIMEOUT_MS,
      idleTimeoutMs: values.MODEL_IDLE_TIMEOUT_MS,
      totalTimeoutMs: values.MODEL_TOTAL_TIMEOUT_MS,
      maxRetries: values.MODEL_MAX_RETRIES,
      retryBaseMs: values.MODEL_RETRY_BASE_MS,
      maxRetryWaitMs: values.MODEL_MAX_RETRY_WAIT_MS
    },
    policy: read.policy,
    approvalTimeoutMs: values.APPROVAL_TIMEOUT_MS,
    resumeRuns: values.RESUME_RUNS === 'on',
    ceilings: {
      maxSteps: values.MAX_STEPS,
      runTimeoutMs: values.RUN_TIMEOUT_MS,
      maxActiveRuns: values.MAX_ACTIVE_RUNS,
      maxStreams: values.MAX_STREAMS,
      bodyBytes: values.BODY_LIMIT_BYTES,
      logBytes: values.MAX_LOG_BYTES,
      workspaceBytes: values.MAX_WORKSPACE_BYTES,
      workspaceFiles: values.MAX_WORKSPACE_FILES
    },
    ioUring: read.ioUring,
    notes: notesOf(values)
  }
}

const list = (text: string | null): string[] => text?.split(',').map((entry) => entry.trim()) ?? []

function isLoopback (host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

/** What no single variable shows. */
function crossFaults (values: Values): string[] {
  const faults: string[] = []
  const provider = values.MODEL.split('/', 1)[0]
  const needs = { openrouter: 'OPENROUTER_API_KEY', openai: 'OPENAI_API_KEY', custom: 'MODEL_BASE_URL' } as const
  if (provider === 'openrouter' || provider === 'openai' || provider === 'custom') {
    const name = needs[provider]
    if (values[name] === null) faults.push(`${name}: is not set, but MODEL is ${values.MODEL}; set it, or another MODEL`)
  }
  if (values.AUTH === 'off' && !isLoopback(values.HOST)) faults.push(`AUTH: off is taken only when HOST is a loopback address, and HOST is ${values.HOST}; allowed here: on`)
  for (const origin of list(values.CORS_ORIGINS)) if (!URL.canParse(origin)) faults.push(`CORS_ORIGINS: ${JSON.stringify(origin)} is not a URL; allowed: origins like https://ui.example`)
  for (const name of ['PUBLIC_URL', 'MODEL_BASE_URL', 'OLLAMA_BASE_URL', 'LLAMACPP_BASE_URL'] as const) {
    const value = values[name]
    if (value !== null && !URL.canParse(value)) faults.push(`${name}: ${JSON.stringify(value)} is not a URL; allowed: an http or https URL`)
  }
  return faults
}

function notesOf (values: Values): string[] {
  if (values.MODEL !== 'demo') return []
  return ([['OPENROUTER_API_KEY', 'openrouter'], ['OPENAI_API_KEY', 'openai'], ['MODEL_BASE_URL', 'custom']] as const)
    .filter(([name]) => values[name] !== null)
    .map(([name, provider]) => `${name} is set, but the model is the demo; set MODEL=${provider}/NAME to use it.`)
}

function readKeys (values: Values, directory: string, faults: string[]): ApiKey[] {
  const sources: Array<[string, string | null]> = [['API_KEYS', values.API_KEYS]]
  if (values.API_KEYS_FILE !== null) sources.push(['API_KEYS_FILE', readText(path.resolve(directory, values.API_KEYS_FILE), 'API_KEYS_FILE', faults)])
  const keys: ApiKey[] = []
  for (const [name, text] of sources) {
    if (text === null) continue
    const parsed = parseKeys(text)
    faults.push(...parsed.faults.map((fault) => `${name}: ${fault}`))
    if (parsed.keys.length === 0 && parsed.faults.length === 0) faults.push(`${name}: holds no key; allowed: key, name:key, name:scopes:key`)
    for (const key of parsed.keys) {
      if (keys.some((other) => other.digest.equals(key.digest))) faults.push(`${name}: repeats a key of API_KEYS`)
      else keys.push(key)
    }
  }
  return keys
}

function readPolicy (values: Values, directory: string, faults: string[]): ServerPolicy {
  const none: ServerPolicy = { rules: [] }
  const text = values.POLICY_FILE === null ? null : readText(path.resolve(directory, values.POLICY_FILE), 'POLICY_FILE', faults)
  if (text === null) return none
  let policy: unknown
  try {
    policy = JSON.parse(text)
  } catch (error) {
    faults.push(`POLICY_FILE: is not JSON: ${error instanceof Error ? error.message : String(error)}`)
    return none
  }
  if (Value.Check(ServerPolicy, policy)) return policy
  faults.push(...[...Value.Errors(ServerPolicy, policy)].slice(0, 10).map((error) => `POLICY_FILE: at ${error.path || 'the top'}: ${error.message.toLowerCase()}`))
  return none
}

function readText (file: string, name: string, faults: string[], options: { optional?: boolean } = {}): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    if (options.optional !== true || code !== 'ENOENT') faults.push(`${name}: ${file} cannot be read (${code})`)
    return null
  }
}
