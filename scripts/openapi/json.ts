/** A JSON document as the generator walks it. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

export function isObject (value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function objectAt (value: Json | undefined, ...path: string[]): JsonObject {
  let found = value
  for (const key of path) found = isObject(found) ? found[key] : undefined
  return isObject(found) ? found : {}
}

export function listAt (value: Json | undefined, ...path: string[]): Json[] {
  const last = path.at(-1)
  const found = last === undefined ? value : objectAt(value, ...path.slice(0, -1))[last]
  return Array.isArray(found) ? found : []
}

export function textAt (value: Json | undefined, key: string): string {
  const found = objectAt(value)[key]
  return typeof found === 'string' ? found : ''
}
