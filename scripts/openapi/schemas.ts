import { isDeepStrictEqual } from 'node:util'
import { isObject, objectAt, type Json, type JsonObject } from './json.ts'

/** `anyOf` of constants → `enum`: what every generator makes a union of literals from. */
export function enumOfConstants (schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length === 0 || !anyOf.every((branch) => isObject(branch) && typeof branch['const'] === 'string')) return schema
  return { ...rest, type: 'string', enum: anyOf.map((branch) => objectAt(branch)['const'] ?? null) }
}

/** `anyOf: [X, null]` → the types of X or null; what has a name stays a reference beside null. */
export function nullableAsTypes (schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema
  const [value, none] = anyOf
  if (!isObject(value) || objectAt(none)['type'] !== 'null' || typeof value['type'] !== 'string') return schema
  const values = value['enum']
  return { ...value, ...rest, type: [value['type'], 'null'], ...(Array.isArray(values) ? { enum: [...values, null] } : {}) }
}

/** A record's `patternProperties` → `additionalProperties`, with the pattern on the names if it says something. */
export function recordAsAdditional (schema: JsonObject): JsonObject {
  const { patternProperties, additionalProperties, ...rest } = schema
  const patterns = Object.entries(objectAt(patternProperties))
  const [first] = patterns
  if (first === undefined || patterns.length !== 1 || rest['properties'] !== undefined) return schema
  const [pattern, value] = first
  return {
    ...rest,
    ...(pattern === '^(.*)$' || pattern === '^.*$' ? {} : { propertyNames: { pattern } }),
    additionalProperties: isObject(value) && Object.keys(value).length === 0 ? true : value
  }
}

/** A union of named objects that each fix `type` → `oneOf` with a discriminator. */
export function discriminated (schema: JsonObject, components: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length < 2) return schema
  const mapping: JsonObject = {}
  for (const branch of anyOf) {
    const reference = objectAt(branch)['$ref']
    if (typeof reference !== 'string') return schema
    const type = objectAt(components[reference.slice(componentPrefix.length)], 'properties', 'type')['const']
    if (typeof type !== 'string') return schema
    mapping[type] = reference
  }
  return { ...rest, oneOf: anyOf, discriminator: { propertyName: 'type', mapping } }
}

export const componentPrefix = '#/components/schemas/'

/**
 * The schema in the form that generators like, from the leaves up. What has a title becomes a component of that name,
 * put into `components`, and a reference to it.
 * @throws Error when a title stands for two different schemas
 */
export function shapeSchema (schema: Json, components: JsonObject): Json {
  if (Array.isArray(schema)) return schema.map((item) => shapeSchema(item, components))
  if (!isObject(schema)) return schema
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, shapeMember(key, value, components)]))
  const shaped = discriminated(recordAsAdditional(nullableAsTypes(enumOfConstants(inner))), components)
  const { title, ...named } = shaped
  if (typeof title !== 'string') return shaped
  const known = components[title]
  if (known !== undefined && !isDeepStrictEqual(known, named)) throw new Error(`Two different schemas have the title ${title}.`)
  components[title] = named
  return { $ref: `${componentPrefix}${title}` }
}

/** Names of properties are not keywords: `{properties: {title: …}}` describes a property that is called title. */
function shapeMember (key: string, value: Json, components: JsonObject): Json {
  if (key === 'properties' || key === 'patternProperties') {
    return Object.fromEntries(Object.entries(objectAt(value)).map(([name, property]) => [name, shapeSchema(property, components)]))
  }
  return ['const', 'default', 'enum', 'examples', 'required'].includes(key) ? value : shapeSchema(value, components)
}
