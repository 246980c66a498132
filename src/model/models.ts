import { modelKeepAliveMs } from '../limits.ts'
import { Agent } from './agent.ts'
import { ChatCompletionsModel } from './chat-completions.ts'
import { DemoModel } from './demo/demo-model.ts'
import type { Model, Models } from './model.ts'
import { providerIds, providers, traitsOf, type ProviderId, type ProviderOverrides } from './providers.ts'

/** What the operator says about one provider. */
export interface ProviderConfig {
  readonly apiKey?: string | null
  /** Where its API is, usually ending in `/v1`; needed for `custom`, has a default for the others. */
  readonly baseUrl?: string | null
  readonly overrides?: ProviderOverrides
}

export interface ModelsConfig {
  /** `provider/name`, or `demo`. */
  readonly defaultName: string
  /** Offered beside the default; any other name of a configured provider works as well. */
  readonly names?: readonly string[]
  readonly providers: Partial<Record<ProviderId, ProviderConfig>>
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
  readonly baseUrl: URL
  readonly apiKey: string | null
  readonly agent: Agent
}

/**
 * The models that a configuration makes available: any `provider/name` whose provider has what it needs
 * (a key, a base URL; the local ones need nothing), and `demo` always.
 * @throws Error when a key or base URL is unusable, or the default model's provider is not configured; it
 * names no key
 */
export function createModels (config: ModelsConfig): Models {
  const upstreams = new Map<ProviderId, Upstream>()
  for (const id of providerIds) {
    const upstream = createUpstream(id, config)
    if (upstream !== null) upstreams.set(id, upstream)
  }
  const demo = new DemoModel({ wordDelayMs: config.demoWordDelayMs })
  const made = new Map<string, Model>()

  function get (name: string): Model | undefined {
    if (name === demo.name) return demo
    const known = made.get(name)
    if (known !== undefined) return known
    const [provider, model] = splitName(name)
    const upstream = provider === null ? undefined : upstreams.get(provider)
    if (provider === null || upstream === undefined) return undefined
    const created = createModel(name, provider, model, upstream, config)
    // Names come from clients: only those that the configuration lists are kept.
    if (name === config.defaultName || config.names?.includes(name) === true) made.set(name, created)
    return created
  }

  if (get(config.defaultName) === undefined) {
    throw new Error(`The default model '${config.defaultName}' cannot be used: ${whyNot(config.defaultName)}`)
  }
  return {
    defaultName: config.defaultName,
    names: [...new Set([config.defaultName, ...(config.names ?? []).filter((name) => get(name) !== undefined), demo.name])],
    get,
    close: async () => { await Promise.all([...upstreams.values()].map(({ agent }) => agent.destroy())) }
  }
}

function createUpstream (id: ProviderId, config: ModelsConfig): Upstream | null {
  const { apiKey = null, baseUrl = null } = config.providers[id] ?? {}
  const key = apiKey?.trim() === '' ? null : apiKey?.trim() ?? null
  const address = baseUrl ?? providers[id].baseUrl
  if (address === null || (key === null && providers[id].needsKey)) return null
  if (key !== null && !/^[\x21-\x7e]+$/.test(key)) throw new Error(`The API key of '${id}' has characters that a header cannot carry.`)
  const url = URL.canParse(address) ? new URL(address) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol)) throw new Error(`The base URL of '${id}' is no http or https URL.`)
  if (url.username !== '' || url.password !== '') throw new Error(`The base URL of '${id}' has a user or password in it; give the key as the API key.`)
  const agent = new Agent({
    connect: { timeout: config.connectTimeoutMs },
    // Own timers say more precisely what was waited for.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: modelKeepAliveMs
  })
  return { baseUrl: url, apiKey: key, agent }
}

function createModel (name: string, provider: ProviderId, model: string, { baseUrl, apiKey, agent }: Upstream, config: ModelsConfig): Model {
  return new ChatCompletionsModel({
    name,
    target: { provider, model, traits: traitsOf(provider, baseUrl, config.providers[provider]?.overrides) },
    baseUrl,
    apiKey,
    agent,
    firstByteMs: config.firstByteTimeoutMs,
    idleMs: config.idleTimeoutMs,
    totalMs: config.totalTimeoutMs,
    maxRetries: config.maxRetries,
    retryBaseMs: config.retryBaseMs,
    maxRetryWaitMs: config.maxRetryWaitMs
  })
}

/** The provider's part and the model's: a model's own name may have slashes. */
function splitName (name: string): [ProviderId | null, string] {
  const slash = name.indexOf('/')
  const prefix = name.slice(0, Math.max(slash, 0))
  const model = name.slice(slash + 1)
  const provider = providerIds.find((id) => id === prefix)
  return provider === undefined || model === '' ? [null, ''] : [provider, model]
}

function whyNot (name: string): string {
  const [provider] = splitName(name)
  if (provider === null) return `a name is 'demo' or 'provider/model', with one of the providers ${providerIds.join(', ')}.`
  return providers[provider].needsKey ? `'${provider}' needs an API key.` : `'${provider}' needs a base URL.`
}
