import { readFileSync } from 'node:fs'
import { test } from 'tap'
import { Ajv } from 'ajv'
import { ConfigError, loadConfig, type Config } from '../../src/config.ts'
import { configFileSchema } from '../../src/config/file-schema.ts'

function faultsOf (environment: Record<string, string>, directory: string): readonly string[] {
  try {
    loadConfig(environment, directory)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
}

const whole = {
  $schema: './ecluse.config.schema.json',
  defaultModel: 'groq/llama',
  fallback: ['anthropic/claude'],
  providers: {
    groq: { baseUrl: 'https://groq.example/openai/v1', apiKeyEnv: 'GROQ_KEY', streamOptions: false, reasoningEcho: 'reasoning', headers: { 'x-team': 'a' } },
    gateway: { type: 'anthropic', baseUrl: 'http://127.0.0.1:9', apiKeyEnv: 'GATEWAY_KEY' },
    anthropic: { apiKeyEnv: 'MY_ANTHROPIC' }
  },
  models: {
    'groq/llama': { contextWindow: 131_072, maxOutputTokens: 8_192, temperature: 0.2, reasoningEffort: 'low', extraBody: { seed: 1 }, fallback: ['gateway/claude', 'demo'] },
    'anthropic/claude': { contextWindow: 200_000, thinkingBudgetTokens: 2_000 }
  },
  prices: { 'groq/llama': { input: 0.5, output: 0.8, cachedInput: 0.1 } }
}

interface Loaded { readonly config: Config | null, readonly faults: readonly string[] }

function withFile (t: { testdir (files: Record<string, string>): string }, file: unknown, environment: Record<string, string> = {}): Loaded {
  const directory = t.testdir({ 'ecluse.config.json': typeof file === 'string' ? file : JSON.stringify(file) })
  const faults = faultsOf(environment, directory)
  return { faults, config: faults.length > 0 ? null : loadConfig(environment, directory) }
}

const set = { GROQ_KEY: 'groq-key', GATEWAY_KEY: 'gateway-key', MY_ANTHROPIC: 'anthropic-key' }

test('the file that is there is read: providers of its own, settings, fallbacks, prices; keys come from the environment', async (t) => {
  const { config, faults } = withFile(t, whole, set)
  t.strictSame(faults, [])
  t.match(config?.model, {
    defaultName: 'groq/llama',
    names: ['groq/llama', 'anthropic/claude'],
    fallback: ['anthropic/claude'],
    providers: {
      groq: { baseUrl: 'https://groq.example/openai/v1', apiKey: 'groq-key', headers: { 'x-team': 'a' }, overrides: { streamOptions: false, reasoningEcho: 'reasoning' } },
      gateway: { dialect: 'anthropic', apiKey: 'gateway-key' },
      anthropic: { apiKey: 'anthropic-key' }
    },
    settings: { 'groq/llama': { contextWindow: 131_072, extraBody: { seed: 1 }, fallback: ['gateway/claude', 'demo'], price: { input: 0.5, output: 0.8, cachedInput: 0.1 } } }
  })
})

test('MODEL wins over the default of the file, and the variables stay the simple way', async (t) => {
  t.match(withFile(t, whole, { ...set, MODEL: 'anthropic/claude' }).config?.model, { defaultName: 'anthropic/claude' })
  const { config } = withFile(t, {}, { MODEL: 'custom/m', MODEL_BASE_URL: 'http://127.0.0.1:1/v1', MODEL_CONTEXT_WINDOW: '8192', MODEL_MAX_OUTPUT_TOKENS: '1000', MODEL_REASONING_ECHO: 'reasoning_content' })
  t.match(config?.model, { settings: { 'custom/m': { contextWindow: 8192, maxOutputTokens: 1000 } }, providers: { custom: { overrides: { reasoningEcho: 'reasoning_content' } } } })
})

test('another path is taken from ECLUSE_CONFIG, and that file must be there', async (t) => {
  const directory = t.testdir({ 'other.json': '{"defaultModel":"ollama/q"}' })
  t.equal(loadConfig({ ECLUSE_CONFIG: 'other.json' }, directory).model.defaultName, 'ollama/q')
  t.match(faultsOf({ ECLUSE_CONFIG: 'none.json' }, directory), [/^ECLUSE_CONFIG: .*ENOENT/])
})

test('all faults of the file come at once, with those of the environment, and show no key', async (t) => {
  const faults = withFile(t, {
    defaultModel: 'nobody/x',
    fallback: ['openai/gpt'],
    providers: {
      groq: { apiKeyEnv: 'GROQ_KEY' },
      ollama: { type: 'anthropic', headers: { Authorization: 'Bearer sk-SECRET' } }
    },
    models: { 'openrouter/x': { extraBody: { messages: [] }, contextWindow: 4096, maxOutputTokens: 4096, thinkingBudgetTokens: 5000, fallback: ['custom/x'] } }
  }, { PORT: 'x' }).faults
  for (const line of [
    /^PORT/,
    /at \/defaultModel: nobody\/x names no provider.*groq/, /at \/fallback\/0: openai\/gpt needs OPENAI_API_KEY/,
    /at \/providers\/groq: needs a baseUrl/,
    /at \/providers\/groq\/apiKeyEnv: the variable GROQ_KEY is not set/, /at \/providers\/ollama\/type: ollama speaks chat-completions/,
    /at \/providers\/ollama\/headers: Authorization .*apiKeyEnv/,
    /at \/models\/openrouter~1x: .*OPENROUTER_API_KEY/, /\/extraBody: messages/,
    /thinkingBudgetTokens: must be less/, /maxOutputTokens: must be less/, /\/models\/openrouter~1x\/fallback\/0: custom\/x needs MODEL_BASE_URL/
  ]) t.ok(faults.some((fault) => line.test(fault)), `${line}`)
  t.notMatch(faults.join('\n'), /SECRET/)
})

test('what does not fit the schema is a fault with its place, and a key in the place of a variable is not repeated', async (t) => {
  t.match(withFile(t, { models: { 'x/y': { contextWindow: 'big' } } }).faults, [/^ecluse\.config\.json: at \/models\/x~?1?\/?y\/contextWindow/])
  t.match(withFile(t, { modls: {} }).faults, [/at \/modls: unexpected property/])
  const faults = withFile(t, { providers: { groq: { baseUrl: 'https://x', apiKeyEnv: 'sk-SECRET-key' } } }).faults
  t.match(faults, [/apiKeyEnv/])
  t.notMatch(faults.join(), /SECRET/)
  const broken = withFile(t, '{"providers": {"a": {"apiKey": sk-SECRET').faults
  t.match(broken, [/is not JSON/])
  t.notMatch(broken.join(), /SECRET/)
})

test('the published JSON Schema is that of the server, and takes and refuses the same', async (t) => {
  t.equal(readFileSync('ecluse.config.schema.json', 'utf8'), configFileSchema(), 'made by "npm run openapi"')
  const check = new Ajv({ strict: false }).compile(JSON.parse(configFileSchema()) as object)
  t.ok(check(whole))
  for (const bad of [{ modls: {} }, { models: { gpt: {} } }, { providers: { Groq: {} } }, { prices: { demo: { input: 1 } } }, { providers: { a: { apiKey: 'x' } } }]) t.notOk(check(bad), JSON.stringify(bad))
})

test('the example of the documentation is a configuration', async (t) => {
  const example = /```json\n(.*?)```/s.exec(readFileSync('docs/models.md', 'utf8'))?.[1] ?? ''
  const keys = Object.fromEntries([...example.matchAll(/"apiKeyEnv": "(\w+)"/g)].map(([, name]) => [String(name), 'key-0123456789']))
  t.strictSame(withFile(t, example, { ...keys, ANTHROPIC_API_KEY: 'key' }).faults, [])
  t.match(withFile(t, example, keys).faults, [/defaultModel: anthropic\/claude-sonnet-4-5 needs ANTHROPIC_API_KEY/])
})
