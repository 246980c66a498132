import { test } from 'tap'
import { createModels, type ModelsConfig } from '../../src/model/models.ts'
import { quick } from './call-model.ts'

const config: ModelsConfig = { ...quick, defaultName: 'demo', providers: {} }

test('the demo model and the local servers are there without configuration', async (t) => {
  const models = createModels(config)
  t.teardown(() => models.close())
  t.strictSame(models.names, ['demo'])
  t.equal(models.get('demo')?.name, 'demo')
  t.equal(models.get('ollama/qwen3:8b')?.name, 'ollama/qwen3:8b')
  t.equal(models.get('llamacpp/any')?.name, 'llamacpp/any')
  for (const name of ['openrouter/a/b', 'openai/x', 'custom/x', 'nobody/x', 'ollama/', 'ollama', '', '/x', 'constructor/x', 'demo/x']) t.equal(models.get(name), undefined, name)
})

test('a provider with what it needs takes any model name', async (t) => {
  const models = createModels({
    ...config,
    defaultName: 'openrouter/anthropic/claude',
    names: ['openai/gpt', 'nobody/x'],
    providers: { openrouter: { apiKey: ' key ' }, openai: { apiKey: 'key' }, custom: { baseUrl: 'http://127.0.0.1:9/v1' } }
  })
  t.teardown(() => models.close())
  t.strictSame(models.names, ['openrouter/anthropic/claude', 'openai/gpt', 'demo'])
  t.equal(models.get('openrouter/x/y:free')?.name, 'openrouter/x/y:free')
  t.ok(models.get('custom/x'))
  t.equal(models.get('openai/gpt'), models.get('openai/gpt'))
})

test('what cannot work is said at the start, without the key', async (t) => {
  const broken: Array<[Partial<ModelsConfig>, RegExp]> = [
    [{ defaultName: 'openrouter/x' }, /openrouter.*needs an API key/],
    [{ defaultName: 'custom/x' }, /custom.*needs a base URL/],
    [{ defaultName: 'gpt' }, /provider\/model/],
    [{ providers: { custom: { baseUrl: 'localhost:1' } } }, /base URL of 'custom'/],
    [{ providers: { custom: { baseUrl: 'http://me:two@localhost/v1' } } }, /user or password/],
    [{ providers: { openai: { apiKey: 'two\nlines' } } }, /API key of 'openai'/]
  ]
  for (const [part, message] of broken) {
    t.throws(() => createModels({ ...config, ...part }), { message })
    try { createModels({ ...config, ...part }) } catch (error) { t.notMatch(String(error), /two/) }
  }
})
