import { modelKeepAliveMs } from '../limits.ts'
import { Agent } from './agent.ts'
import { anthropicMessages } from './anthropic/anthropic-messages.ts'
import { chatCompletions } from './chat-completions.ts'
import { DemoModel } from './demo/demo-model.ts'
import type { Dialect } from './dialect.ts'
import { FallbackModel } from './fallback-model.ts'
import { HttpModel } from './http-model.ts'
import type { Model, Models } from './model.ts'
import { knownProvider, providerIds, traitsOf, type DialectName, type ProviderOverrides, type ProviderTraits } from './providers.ts'
import { openaiResponses } from './responses/openai-responses.ts'
import { messagesMaxTokens, requestParams, type ModelSettings } from './settings.ts'

/** What the operator says about one provider. */
export interface ProviderConfig {
  /** For a name of the operator's own; chat-completions when left out. */
  readonly dialect?: DialectName
  readonly apiKey?: string | null
  /** Where its API is, usually ending in `/v1`; those known by name have a default. */
  readonly baseUrl?: string | null
  readonly headers?: Readonly<Record<string, string>>
  readonly overrides?: ProviderOverrides
}

export interface ModelsConfig {
  /** `provider/name`, or `demo`. */
  readonly defaultName: string
  /** Offered beside the default; any other name of a configured provider works as well. */
  readonly names?: readonly string[]
  readonly providers: Readonly<Record<string, ProviderConfig>>
  /** By model name. */
  readonly settings?: Readonly<Record<string, ModelSettings>>
  /** For models whose settings name none. */
  readonly fallback?: readonly string[]
  readonly connectTimeoutMs: number
  readonly firstByteTimeoutMs: number
  readonly idleTimeoutMs: number
  readonly totalTimeoutMs: number
  readonly maxRetries: number
  readonly retryBaseMs: number
  readonly maxRetryWaitMs: number
  /** Between the words of the demo model. */
  readonly demoWordDelayMs: number
}

interface Upstream {
  readonly name: string
  readonly config: ProviderConfig
  readonly baseUrl: URL
  readonly apiKey: string | null
  readonly agent: Agent
}

/**
 * The models that a configuration makes available: any `provider/name` whose provider has what it needs
 * (a key, a base URL; the local ones need nothing), and `demo` always.
 * @throws Error when a key or base URL is unusable, or the provider of the default model or of a fallback is not
 * configured; it names no key
 */
export function createModels (config: ModelsConfig): Models {
  const upstreams = new Map<string, Upstream>()
  for (const name of new Set([...providerIds, ...Object.keys(config.providers)])) {
    const upstream = createUpstream(name, config)
    if (upstream !== null) upstreams.set(name, upstream)
  }
  const settings = new Map(Object.entries(config.settings ?? {}))
  const demo = new DemoModel({ wordDelayMs: config.demoWordDelayMs })
  const made = new Map<string, Model>()
  const listed = [...new Set([config.defaultName, ...config.names ?? [], ...config.fallback ?? [], demo.name])]

  function single (name: string): Model | undefined {
    if (name === demo.name) return demo
    const [provider, model] = splitName(name)
    const upstream = upstreams.get(provider)
    return upstream === undefined || model === '' ? undefined : createModel(name, model, upstream, settings.get(name) ?? {}, config)
  }

  function get (name: string): Model | undefined {
    const known = made.get(name)
    if (known !== undefined) return known
    const model = single(name)
    if (model === undefined) return undefined
    const others = fallbackOf(name).map((other) => single(other)).filter((other) => other !== undefined)
    const created = others.length === 0 ? model : new FallbackModel(model, others)
    // Names come from clients: only those that the configuration lists are kept.
    if (listed.includes(name)) made.set(name, created)
    return created
  }

  function fallbackOf (name: string): readonly string[] {
    return (settings.get(name)?.fallback ?? (name === demo.name ? [] : config.fallback) ?? []).filter((other) => other !== name)
  }

  for (const name of [config.defaultName, ...config.fallback ?? [], ...[...settings.values()].flatMap(({ fallback = [] }) => fallback)]) {
    if (single(name) === undefined) throw new Error(`The model '${name}' cannot be used: ${whyNot(name)}`)
  }
  return {
    defaultName: config.defaultName,
    names: listed.filter((name) => single(name) !== undefined),
    get,
    facts: (name) => ({
      contextWindow: settings.get(name)?.contextWindow ?? null,
      maxOutputTokens: settings.get(name)?.maxOutputTokens ?? null,
      price: settings.get(name)?.price ?? null,
      fallback: fallbackOf(name)
    }),
    close: async () => { await Promise.all([...upstreams.values()].map(({ agent }) => agent.destroy())) }
  }
}

function createUpstream (name: string, config: ModelsConfig): Upstream | null {
  const known = knownProvider(name)
  const provider = config.providers[name] ?? {}
  const { apiKey = null, baseUrl = null } = provider
  const key = apiKey?.trim() === '' ? null : apiKey?.trim() ?? null
  const address = baseUrl ?? known?.baseUrl ?? null
  if (address === null || (key === null && known?.needsKey === true)) return null
  if (key !== null && !/^[\x21-\x7e]+$/.test(key)) throw new Error(`The API key of '${name}' has characters that a header cannot carry.`)
  const url = URL.canParse(address) ? new URL(address) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol)) throw new Error(`The base URL of '${name}' is no http or https URL.`)
  if (url.username !== '' || url.password !== '') throw new Error(`The base URL of '${name}' has a user or password in it; give the key as the API key.`)
  const agent = new Agent({
    connect: { timeout: config.connectTimeoutMs },
    // Own timers say more precisely what was waited for.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: modelKeepAliveMs
  })
  return { name, config: provider, baseUrl: url, apiKey: key, agent }
}

function createModel (name: string, model: string, upstream: Upstream, settings: ModelSettings, config: ModelsConfig): Model {
  const traits = traitsOf(upstream.name, upstream.config.dialect, upstream.baseUrl, { ...upstream.config.overrides, ...overridesOf(settings) })
  const options = {
    name,
    contextWindow: settings.contextWindow ?? null,
    maxOutputTokens: settings.maxOutputTokens ?? null,
    price: settings.price ?? null,
    baseUrl: traits.dialect === 'anthropic' ? versioned(upstream.baseUrl) : upstream.baseUrl,
    apiKey: upstream.apiKey,
    agent: upstream.agent,
    firstByteMs: config.firstByteTimeoutMs,
    idleMs: config.idleTimeoutMs,
    totalMs: config.totalTimeoutMs,
    maxRetries: config.maxRetries,
    retryBaseMs: config.retryBaseMs,
    maxRetryWaitMs: config.maxRetryWaitMs
  }
  const headers = lowerCased({ ...traits.headers, ...upstream.config.headers, ...settings.headers })
  const target = { provider: upstream.name, model, params: requestParams(settings, traits) }
  const http = <W extends object>(dialect: Dialect<W>): Model => new HttpModel({ ...options, dialect })
  switch (traits.dialect) {
    case 'chat-completions': return http(chatCompletions({ ...target, traits }, headers))
    case 'anthropic': return http(anthropicMessages({ ...target, maxTokens: messagesMaxTokens(settings) }, headers))
    case 'openai-responses': return http(openaiResponses(target, headers))
    default: return traits.dialect satisfies never
  }
}

function overridesOf ({ streamOptions, callIds, reasoningEcho, maxTokensField }: ModelSettings): ProviderOverrides {
  const given: Array<[keyof ProviderTraits, unknown]> = [['streamOptions', streamOptions], ['callIds', callIds], ['reasoningEcho', reasoningEcho], ['maxTokensField', maxTokensField]]
  return Object.fromEntries(given.filter(([, value]) => value !== undefined))
}

/** Everybody gives the address of Anthropic's API without the version that its paths begin with. */
function versioned (baseUrl: URL): URL {
  return /\/v\d+\/*$/.test(baseUrl.pathname) ? baseUrl : new URL(`${baseUrl.pathname.replace(/\/+$/, '')}/v1`, baseUrl)
}

/** One header has one name, however it was written. */
function lowerCased (headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

/** The provider's part and the model's: a model's own name may have slashes. */
function splitName (name: string): [string, string] {
  const slash = name.indexOf('/')
  return slash < 1 ? ['', ''] : [name.slice(0, slash), name.slice(slash + 1)]
}

function whyNot (name: string): string {
  const [provider] = splitName(name)
  const known = knownProvider(provider)
  if (known === null) return `a name is 'demo' or 'provider/model', with a provider of the configuration or one of ${providerIds.join(', ')}.`
  return known.needsKey ? `'${provider}' needs an API key.` : `'${provider}' needs a base URL.`
}
