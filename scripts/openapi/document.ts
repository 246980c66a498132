import { isObject, objectAt, textAt, type Json, type JsonObject } from './json.ts'
import { componentPrefix, shapeSchema } from './schemas.ts'

/** The contract as it is published: schemas shaped and named, in an order that makes small diffs. */
export function shapeDocument (raw: JsonObject): JsonObject {
  const components: JsonObject = {}
  const paths = Object.fromEntries(Object.entries(objectAt(raw, 'paths')).map(([path, item]) => [path, shapeSchemasIn(item, components)]))
  const { openapi, info, servers, tags, security } = raw
  const sorted = Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)))
  return {
    openapi: openapi ?? null,
    info: info ?? null,
    servers: servers ?? null,
    tags: tags ?? null,
    security: security ?? null,
    paths,
    components: { securitySchemes: objectAt(raw, 'components', 'securitySchemes'), schemas: sorted }
  }
}

/** Shapes what stands under `schema` anywhere in a path item; the rest of it is no schema. */
function shapeSchemasIn (value: Json, components: JsonObject): Json {
  if (Array.isArray(value)) return value.map((item) => shapeSchemasIn(item, components))
  if (!isObject(value)) return value
  const shaped = Object.fromEntries(Object.entries(value).map(([key, member]) =>
    [key, key === 'schema' ? shapeSchema(member, components) : shapeSchemasIn(member, components)]))
  // What has a default may be left out, and so may a body that can be empty.
  if (shaped['in'] === 'query' && objectAt(shaped['schema'])['default'] !== undefined) return { ...shaped, required: false }
  if (shaped['requestBody'] !== undefined) return { ...shaped, requestBody: { ...objectAt(shaped['requestBody']), required: !mayBeEmpty(shaped, components) } }
  return shaped
}

function mayBeEmpty (operation: JsonObject, components: JsonObject): boolean {
  const reference = textAt(objectAt(operation, 'requestBody', 'content', 'application/json', 'schema'), '$ref')
  const schema = objectAt(components[reference.slice(componentPrefix.length)])
  return schema['required'] === undefined && schema['minProperties'] === undefined
}
