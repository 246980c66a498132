import { createModels, type ModelsConfig, type ProviderConfig } from '../../src/model/models.ts'
import { ModelError, type Model, type ModelAnswer, type ModelMessage, type ModelPart, type ModelRequest, type Models } from '../../src/model/model.ts'

import type { Teardown } from '../support/model-server/process.ts'

export const quick: Omit<ModelsConfig, 'providers' | 'defaultName'> = {
  connectTimeoutMs: 2_000,
  firstByteTimeoutMs: 5_000,
  idleTimeoutMs: 5_000,
  totalTimeoutMs: 10_000,
  maxRetries: 0,
  retryBaseMs: 5,
  maxRetryWaitMs: 1_000,
  demoWordDelayMs: 0
}

/** Models with `custom` at `baseUrl`, closed with the test. */
export function customModels (t: Teardown, baseUrl: string, options: Partial<ModelsConfig> & { custom?: ProviderConfig } = {}): { models: Models, model: Model } {
  const { custom, ...config } = options
  const models = createModels({ ...quick, defaultName: 'custom/scripted', providers: { custom: { baseUrl, ...custom } }, ...config })
  t.teardown(() => models.close())
  return { models, model: modelOf(models, 'custom/scripted') }
}

export function modelOf (models: Models, name: string): Model {
  const model = models.get(name)
  if (model === undefined) throw new Error(`no model ${name}`)
  return model
}

export const toolNames = ['read_file', 'write_file', 'edit_file', 'list_dir', 'move_file', 'delete_file', 'search', 'run_command', 'f', 'g', 'get_weather']

export function requestOf (messages: readonly ModelMessage[] = [{ role: 'user', content: 'go' }]): ModelRequest {
  return { messages, tools: toolNames.map((name) => ({ name, description: `The tool ${name}`, parameters: { type: 'object', properties: {} } })) }
}

export interface Called {
  readonly parts: readonly ModelPart[]
  readonly batches: number
  readonly answer: ModelAnswer | null
  readonly error: ModelError | null
  readonly ms: number
}

/** Runs a call to its end. An abort, and any error that is no ModelError, is thrown. */
export async function callModel (model: Model, request: ModelRequest = requestOf(), signal: AbortSignal = new AbortController().signal): Promise<Called> {
  const parts: ModelPart[] = []
  const started = performance.now()
  let batches = 0
  const stream = model.stream(request, signal)
  try {
    let next = await stream.next()
    for (; next.done !== true; next = await stream.next()) {
      batches++
      parts.push(...next.value)
    }
    return { parts, batches, answer: next.value, error: null, ms: performance.now() - started }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    return { parts, batches, answer: null, error, ms: performance.now() - started }
  }
}

export function joined (parts: readonly ModelPart[], type: 'text' | 'reasoning'): string {
  return parts.map((part) => part.type === type ? part.text : '').join('')
}
