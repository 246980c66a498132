import type { Static, TObject, TSchema } from '@sinclair/typebox'
import { Kind, OptionalKind } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { ToolFailure } from '../errors.ts'
import type { JsonObject } from '../protocol/common.ts'

/**
 * The arguments as the schema wants them. Harmless slips are mended: a number in a string where a number is needed,
 * `"true"` for true, JSON in a string where a list or object is needed, null for an optional field, unknown fields
 * (they are dropped, so what is shown is what runs). A number where a string is needed is refused: its spelling is lost.
 * @throws ToolFailure invalid_arguments that names the field
 */
export function checkArguments<P extends TObject> (tool: string, schema: P, args: JsonObject): Static<P> {
  const mended = mendObject(schema, args)
  const surrogate = loneSurrogate(mended, '')
  if (surrogate === null && Value.Check(schema, mended)) return mended
  const first = Value.Errors(schema, mended).First()
  const fault = first !== undefined
    ? `${fieldName(first.path)} ${first.value === undefined ? 'is missing' : `is not valid: ${lowerFirst(first.message)}, not ${sample(first.value)}`}`
    : `${fieldName(surrogate ?? '')} contains half a character (a lone surrogate)`
  throw new ToolFailure('invalid_arguments', `${fault}.`, `${tool} takes ${signature(schema)}.`)
}

function mendObject (schema: TObject, value: JsonObject): JsonObject {
  const mended: JsonObject = {}
  for (const [key, property] of Object.entries(schema.properties)) {
    if (!Object.hasOwn(value, key)) continue
    const given = value[key]
    if (given === null && property[OptionalKind] === 'Optional' && !Value.Check(property, null)) continue
    mended[key] = mend(property, given)
  }
  return mended
}

function mend (schema: TSchema, value: unknown): unknown {
  switch (schema[Kind]) {
    case 'Integer': return typeof value === 'string' && /^\s*-?\d{1,15}\s*$/.test(value) ? Number(value) : value
    case 'Number': return typeof value === 'string' && /^\s*-?\d{1,15}(\.\d+)?\s*$/.test(value) ? Number(value) : value
    case 'Boolean': return value === 'true' ? true : value === 'false' ? false : value
    case 'Array': {
      const list = typeof value === 'string' ? fromJson(value) : value
      const items: unknown = schema['items']
      return Array.isArray(list) && isSchema(items) ? list.map((item: unknown) => mend(items, item)) : value
    }
    case 'Object': {
      const object = typeof value === 'string' ? fromJson(value) : value
      return isJsonObject(object) ? mendObject(schema as TObject, object) : value // Kind says that it is one
    }
    default: return value
  }
}

function fromJson (text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function isSchema (value: unknown): value is TSchema {
  return typeof value === 'object' && value !== null && Kind in value
}

function isJsonObject (value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Where a string has one: it would be written as U+FFFD, so what runs would not be what was sent. */
function loneSurrogate (value: unknown, path: string): string | null {
  if (typeof value === 'string') return /\p{Surrogate}/u.test(value) ? path : null
  if (typeof value !== 'object' || value === null) return null
  for (const [key, member] of Object.entries(value)) {
    const found = loneSurrogate(member, `${path}/${key}`)
    if (found !== null) return found
  }
  return null
}

/** `/edits/0/oldText` is `"edits[0].oldText"`. */
function fieldName (pointer: string): string {
  const name = pointer.slice(1).split('/').map((part) => /^\d+$/.test(part) ? `[${part}]` : `.${part}`).join('').replace(/^\./, '')
  return `"${name}"`
}

function sample (value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

function lowerFirst (message: string): string {
  return message.slice(0, 1).toLowerCase() + message.slice(1)
}

function signature (schema: TObject): string {
  const fields = Object.entries(schema.properties).map(([key, property]) => {
    return `${key}${property[OptionalKind] === 'Optional' ? '?' : ''}: ${typeName(property)}`
  })
  return `{${fields.join(', ')}}`
}

function typeName (schema: TSchema): string {
  const type: unknown = schema['type']
  if (type === 'array' && isSchema(schema['items'])) return `[${typeName(schema['items'])}]`
  if (schema[Kind] === 'Object') return signature(schema as TObject) // Kind says that it is one
  return typeof type === 'string' ? type : 'value'
}
