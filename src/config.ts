import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { modelConfig, parseConfigFile, unusedKeyNotes } from './config/model-config.ts'
import { readValues, type Environment } from './config/read-values.ts'
import type { Values } from './config/variables.ts'
import { networkRuleLengthMax, networkRulesMax } from './limits.ts'
import type { ModelsConfig } from './model/models.ts'
import { Policy, type RunLimits } from './protocol/common.ts'
import type { OwnNames } from './routes/edge/hosts.ts'
import { parseKeys, type ApiKey } from './routes/edge/keys.ts'
import { networkRuleForm, parseNetworkRule, type NetworkRule } from './workspace/commands/network/destination.ts'

const PolicyFile = Type.Object({
  mode: Type.Optional(Policy.properties.mode),
  rules: Type.Optional(Policy.properties.rules),
  network: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: networkRuleLengthMax }), { maxItems: networkRulesMax }))
}, { additionalProperties: false })

/** The rules that no session can loosen, the mode that sessions start with, and where commands may connect to. */
export interface ServerPolicy extends Pick<Static<typeof PolicyFile>, 'mode'> {
  readonly rules: Policy['rules']
  readonly network: readonly NetworkRule[]
}

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
  /** Of one run; null: none. */
  readonly maxTokens: number | null
  readonly command: { readonly timeoutMs: number, readonly memoryBytes: number, readonly processes: number }
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
  readonly model: ModelsConfig
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
  const merged = { ...(dotEnv === null ? {} : parseEnv(dotEnv)), ...given }
  const { values, faults: valueFaults } = readValues(merged)
  faults.push(...valueFaults)
  const keys = readKeys(values, directory, faults)
  const policy = readPolicy(values, directory, faults)
  faults.push(...crossFaults(values))
  const model = readModel(values, merged, directory, faults)
  if (faults.length > 0) throw new ConfigError(faults)
  return configOf(values, { keys, policy, model, directory, ioUring: environment['UV_USE_IO_URING'] })
}

function configOf (values: Values, read: { keys: ApiKey[], policy: ServerPolicy, model: ModelsConfig, directory: string, ioUring: string | undefined }): Config {
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
    model: read.model,
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
      workspaceFiles: values.MAX_WORKSPACE_FILES,
      maxTokens: values.MAX_TOKENS,
      command: { timeoutMs: values.COMMAND_TIMEOUT_MS, memoryBytes: values.COMMAND_MEMORY_BYTES, processes: values.COMMAND_PROCESSES }
    },
    ioUring: read.ioUring,
    notes: unusedKeyNotes(values, read.model.defaultName)
  }
}

const list = (text: string | null): string[] => text?.split(',').map((entry) => entry.trim()) ?? []

function isLoopback (host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

/** What no single variable shows. */
function crossFaults (values: Values): string[] {
  const faults: string[] = []
  if (values.AUTH === 'off' && !isLoopback(values.HOST)) faults.push(`AUTH: off is taken only when HOST is a loopback address, and HOST is ${values.HOST}; allowed here: on`)
  for (const origin of list(values.CORS_ORIGINS)) if (!URL.canParse(origin)) faults.push(`CORS_ORIGINS: ${JSON.stringify(origin)} is not a URL; allowed: origins like https://ui.example`)
  for (const name of ['PUBLIC_URL', 'MODEL_BASE_URL', 'OLLAMA_BASE_URL', 'LLAMACPP_BASE_URL', 'OPENAI_BASE_URL', 'ANTHROPIC_BASE_URL'] as const) {
    const value = values[name]
    if (value !== null && !URL.canParse(value)) faults.push(`${name}: ${JSON.stringify(value)} is not a URL; allowed: an http or https URL`)
  }
  return faults
}

/** The file that ECLUSE_CONFIG names must be there; the one that is looked for by itself may be missing. */
function readModel (values: Values, environment: Environment, directory: string, faults: string[]): ModelsConfig {
  const standard = 'ecluse.config.json'
  const name = values.ECLUSE_CONFIG === null ? standard : 'ECLUSE_CONFIG'
  const text = readText(path.resolve(directory, values.ECLUSE_CONFIG ?? standard), name, faults, { optional: values.ECLUSE_CONFIG === null })
  return modelConfig(values, text === null ? {} : parseConfigFile(text, name, faults), name, environment, faults)
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
  const none: ServerPolicy = { rules: [], network: [] }
  const text = values.POLICY_FILE === null ? null : readText(path.resolve(directory, values.POLICY_FILE), 'POLICY_FILE', faults)
  if (text === null) return none
  let policy: unknown
  try {
    policy = JSON.parse(text)
  } catch (error) {
    faults.push(`POLICY_FILE: is not JSON: ${error instanceof Error ? error.message : String(error)}`)
    return none
  }
  if (Value.Check(PolicyFile, policy)) return { ...policy, rules: policy.rules ?? [], network: readNetwork(policy.network ?? [], faults) }
  faults.push(...[...Value.Errors(PolicyFile, policy)].slice(0, 10).map((error) => `POLICY_FILE: at ${error.path || 'the top'}: ${error.message.toLowerCase()}`))
  return none
}

function readNetwork (texts: readonly string[], faults: string[]): NetworkRule[] {
  return texts.flatMap((text, index) => {
    const rule = parseNetworkRule(text)
    if (rule === null) faults.push(`POLICY_FILE: at /network/${index}: ${JSON.stringify(text)} is no destination; allowed: ${networkRuleForm}`)
    return rule === null ? [] : [rule]
  })
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
