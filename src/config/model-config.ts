import { Value } from '@sinclair/typebox/value'
import { demoWordDelayMs } from '../limits.ts'
import type { ModelsConfig, ProviderConfig } from '../model/models.ts'
import { knownProvider, providerIds, type ProviderId } from '../model/providers.ts'
import { reservedMembers, type ModelSettings } from '../model/settings.ts'
import { ConfigFile } from './file-schema.ts'
import type { Environment } from './read-values.ts'
import type { Values, VariableName } from './variables.ts'

/** What a known provider needs from the environment. */
const needs = {
  openrouter: 'OPENROUTER_API_KEY', openai: 'OPENAI_API_KEY', 'openai-responses': 'OPENAI_API_KEY', anthropic: 'ANTHROPIC_API_KEY', custom: 'MODEL_BASE_URL'
} as const satisfies Partial<Record<ProviderId, VariableName>>

/** Headers that carry keys: those have no place in a file. */
const keyHeaders = /^(authorization|proxy-authorization|x-api-key|api-key|x-goog-api-key|cookie)$/i

const faultsShown = 10

/** Reads the text of the configuration file. @param name what the faults call it */
export function parseConfigFile (text: string, name: string, faults: string[]): ConfigFile {
  let file: unknown
  try {
    file = JSON.parse(text)
  } catch (error) {
    // The parser quotes what it found, and what it found may be a key.
    const place = /position \d+/.exec(error instanceof Error ? error.message : '')?.[0] ?? 'its end'
    faults.push(`${name}: is not JSON, at ${place}`)
    return {}
  }
  if (Value.Check(ConfigFile, file)) return file
  const errors = [...Value.Errors(ConfigFile, file)].slice(0, faultsShown)
  faults.push(...errors.map((error) => `${name}: at ${error.path || 'the top'}: ${error.message.toLowerCase()}${typeof error.schema.description === 'string' ? ` (${error.schema.description})` : ''}`))
  return {}
}

/**
 * What the model layer needs, out of the variables and the file; where both speak of one thing, MODEL and the file's
 * entry of a provider or model win. @param environment where the keys are that the file names
 */
export function modelConfig (values: Values, file: ConfigFile, name: string, environment: Environment, faults: string[]): ModelsConfig {
  // An empty MODEL is none; the table's default is the last resort.
  const asked = (environment['MODEL']?.trim() ?? '') === '' ? null : values.MODEL
  const defaultName = asked ?? file.defaultModel ?? values.MODEL
  const providers = providersOf(values, file, name, environment, faults)
  const config: ModelsConfig = {
    defaultName,
    names: Object.keys(file.models ?? {}),
    providers,
    settings: settingsOf(values, file, defaultName),
    fallback: file.fallback ?? [],
    connectTimeoutMs: values.MODEL_CONNECT_TIMEOUT_MS,
    firstByteTimeoutMs: values.MODEL_FIRST_BYTE_TIMEOUT_MS,
    idleTimeoutMs: values.MODEL_IDLE_TIMEOUT_MS,
    totalTimeoutMs: values.MODEL_TOTAL_TIMEOUT_MS,
    maxRetries: values.MODEL_MAX_RETRIES,
    retryBaseMs: values.MODEL_RETRY_BASE_MS,
    maxRetryWaitMs: values.MODEL_MAX_RETRY_WAIT_MS,
    demoWordDelayMs
  }
  if (asked !== null || file.defaultModel === undefined) checkModel(defaultName, 'MODEL', config, faults)
  else checkModel(defaultName, `${name}: at /defaultModel`, config, faults)
  for (const [index, other] of (file.fallback ?? []).entries()) checkModel(other, `${name}: at /fallback/${index}`, config, faults)
  for (const [model, entry] of Object.entries(file.models ?? {})) {
    const place = `${name}: at /models/${pointer(model)}`
    checkModel(model, place, config, faults)
    checkSettings(entry, place, faults)
    for (const [index, other] of (entry.fallback ?? []).entries()) checkModel(other, `${place}/fallback/${index}`, config, faults)
  }
  return config
}

function providersOf (values: Values, file: ConfigFile, name: string, environment: Environment, faults: string[]): Record<string, ProviderConfig> {
  const echo = values.MODEL_REASONING_ECHO
  const providers: Record<string, ProviderConfig> = {
    openrouter: { apiKey: values.OPENROUTER_API_KEY },
    openai: { apiKey: values.OPENAI_API_KEY, baseUrl: values.OPENAI_BASE_URL },
    'openai-responses': { apiKey: values.OPENAI_API_KEY, baseUrl: values.OPENAI_BASE_URL },
    anthropic: { apiKey: values.ANTHROPIC_API_KEY, baseUrl: values.ANTHROPIC_BASE_URL },
    custom: { baseUrl: values.MODEL_BASE_URL, apiKey: values.MODEL_API_KEY, ...(echo === null ? {} : { overrides: { reasoningEcho: echo } }) },
    ollama: { baseUrl: values.OLLAMA_BASE_URL },
    llamacpp: { baseUrl: values.LLAMACPP_BASE_URL }
  }
  for (const [id, { type, baseUrl, apiKeyEnv, headers, ...overrides }] of Object.entries(file.providers ?? {})) {
    const place = `${name}: at /providers/${id}`
    const known = knownProvider(id)
    if (known !== null && type !== undefined && type !== known.dialect) faults.push(`${place}/type: ${id} speaks ${known.dialect}; give a provider of another type a name of its own`)
    if (known === null && baseUrl === undefined) faults.push(`${place}: needs a baseUrl, since ${id} is no provider known by name`)
    if (baseUrl !== undefined && !URL.canParse(baseUrl)) faults.push(`${place}/baseUrl: is not a URL; allowed: an http or https URL`)
    const key = apiKeyEnv === undefined ? undefined : environment[apiKeyEnv]?.trim() ?? ''
    if (key === '') faults.push(`${place}/apiKeyEnv: the variable ${apiKeyEnv} is not set`)
    checkHeaders(headers, place, faults)
    const before = providers[id]
    providers[id] = {
      ...before,
      ...(type === undefined ? {} : { dialect: type }),
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...(key === undefined ? {} : { apiKey: key }),
      ...(headers === undefined ? {} : { headers }),
      overrides: { ...before?.overrides, ...overrides }
    }
  }
  return providers
}

function settingsOf (values: Values, file: ConfigFile, defaultName: string): Record<string, ModelSettings> {
  const settings: Record<string, ModelSettings> = { ...file.models }
  const simple = {
    ...(values.MODEL_CONTEXT_WINDOW === null ? {} : { contextWindow: values.MODEL_CONTEXT_WINDOW }),
    ...(values.MODEL_MAX_OUTPUT_TOKENS === null ? {} : { maxOutputTokens: values.MODEL_MAX_OUTPUT_TOKENS })
  }
  if (defaultName !== 'demo') settings[defaultName] = { ...simple, ...settings[defaultName] }
  for (const [model, price] of Object.entries(file.prices ?? {})) settings[model] = { ...settings[model], price }
  return settings
}

function checkModel (model: string, place: string, { providers }: ModelsConfig, faults: string[]): void {
  if (model === 'demo') return
  const id = model.slice(0, model.indexOf('/'))
  const known = knownProvider(id)
  const provider = providers[id]
  if (known === null) {
    if (provider === undefined) faults.push(`${place}: ${model} names no provider of the configuration; allowed: demo, or NAME/MODEL with NAME one of ${[...new Set([...providerIds, ...Object.keys(providers)])].join(', ')}`)
    return
  }
  const lacks = known.needsKey ? provider?.apiKey ?? null : provider?.baseUrl ?? known.baseUrl
  const variable = Object.entries(needs).find(([needing]) => needing === id)?.[1]
  if (lacks === null && variable !== undefined) {
    faults.push(place === 'MODEL' ? `${variable}: is not set, but MODEL is ${model}; set it, or another MODEL` : `${place}: ${model} needs ${variable}, which is not set`)
  }
}

function checkSettings (entry: ModelSettings, place: string, faults: string[]): void {
  checkHeaders(entry.headers, place, faults)
  for (const member of reservedMembers) if (entry.extraBody !== undefined && member in entry.extraBody) faults.push(`${place}/extraBody: ${member} is set by the server`)
  const { thinkingBudgetTokens: budget = 0, maxOutputTokens: most, contextWindow: window } = entry
  if (most !== undefined && budget >= most) faults.push(`${place}/thinkingBudgetTokens: must be less than maxOutputTokens, which counts it`)
  if (most !== undefined && window !== undefined && most >= window) faults.push(`${place}/maxOutputTokens: must be less than contextWindow, which counts it`)
}

function checkHeaders (headers: Readonly<Record<string, string>> | undefined, place: string, faults: string[]): void {
  for (const header of Object.keys(headers ?? {})) if (keyHeaders.test(header)) faults.push(`${place}/headers: ${header} carries a key; name its variable as apiKeyEnv`)
}

/** A member's name in a JSON pointer. */
function pointer (name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Keys that are there and not used. */
export function unusedKeyNotes (values: Values, defaultName: string): string[] {
  if (defaultName !== 'demo') return []
  return ([['OPENROUTER_API_KEY', 'openrouter'], ['OPENAI_API_KEY', 'openai'], ['ANTHROPIC_API_KEY', 'anthropic'], ['MODEL_BASE_URL', 'custom']] as const)
    .filter(([name]) => values[name] !== null)
    .map(([name, provider]) => `${name} is set, but the model is the demo; set MODEL=${provider}/NAME to use it.`)
}
