import type { Models } from '../model/model.ts'
import type { ModelInfo } from '../protocol/resources.ts'

/** A model as GET /models shows it. */
export function presentModel (models: Models, name: string): ModelInfo {
  const { contextWindow, maxOutputTokens, price, fallback } = models.facts(name)
  const slash = name.indexOf('/')
  return {
    name,
    default: name === models.defaultName,
    provider: slash === -1 ? name : name.slice(0, slash),
    contextWindow,
    maxOutputTokens,
    price,
    fallback: [...fallback]
  }
}
