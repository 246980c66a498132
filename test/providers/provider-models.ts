import { createModels, type ModelsConfig } from '../../src/model/models.ts'
import type { Model, Models } from '../../src/model/model.ts'
import { modelOf, quick } from '../model/call-model.ts'
import type { Teardown } from '../support/model-server/process.ts'

export const keys = { anthropic: 'sk-ant-0123456789abcdef', responses: 'sk-oai-0123456789abcdef' } as const

/** One model of each dialect at a scripted server, closed with the test. */
export function providerModels (t: Teardown, baseUrl: string, options: Partial<ModelsConfig> = {}): { models: Models, anthropic: Model, responses: Model, chat: Model } {
  const models = createModels({
    ...quick,
    defaultName: 'anthropic/claude',
    providers: { anthropic: { baseUrl, apiKey: keys.anthropic }, 'openai-responses': { baseUrl, apiKey: keys.responses }, custom: { baseUrl } },
    ...options
  })
  t.teardown(() => models.close())
  return { models, anthropic: modelOf(models, 'anthropic/claude'), responses: modelOf(models, 'openai-responses/gpt'), chat: modelOf(models, 'custom/scripted') }
}
