import { isObject, listAt, objectAt, textAt, type Json, type JsonObject } from '../openapi/json.ts'
import { componentPrefix } from '../openapi/schemas.ts'
import { escapeHtml, inline, prose } from './html.ts'

/** A named schema: its anchor is its name. */
export function schemaSection (name: string, schema: JsonObject): string {
  return `<article id="${name}"><h3>${name}</h3>${prose(textAt(schema, 'description'))}${schemaBody(schema)}</article>`
}

function schemaBody (schema: JsonObject): string {
  return isObject(schema['properties']) ? propertyTable(schema) : `<p>${typeOf(schema)}</p>`
}

/** The members of an object, those of nested ones without a name below their own. */
export function propertyTable (schema: JsonObject): string {
  return `<div class="wide"><table><thead><tr><th>member</th><th>type</th><th>meaning</th></tr></thead><tbody>${rows(schema, '').join('\n')}</tbody></table></div>`
}

function rows (schema: JsonObject, prefix: string): string[] {
  const required = listAt(schema, 'required')
  return Object.entries(objectAt(schema, 'properties')).flatMap(([name, value]) => {
    const property = objectAt(value)
    const optional = required.includes(name) ? '' : ' <small>optional</small>'
    const meaning = [inline(textAt(property, 'description')), bounds(property)].filter((text) => text !== '').join(' ')
    const row = `<tr><td><code>${escapeHtml(prefix + name)}</code>${optional}</td><td>${typeOf(property)}</td><td>${meaning}</td></tr>`
    const nested = isObject(property['properties']) ? [property, `${prefix}${name}.`] as const : [objectAt(property, 'items'), `${prefix}${name}[].`] as const
    return [row, ...rows(...nested)]
  })
}

/** A type in words; names link to their shapes. */
export function typeOf (value: Json | undefined): string {
  const schema = objectAt(value)
  const reference = textAt(schema, '$ref')
  if (reference !== '') {
    const name = reference.slice(componentPrefix.length)
    return `<a href="#${name === 'Event' || name === 'SessionEvent' ? 'event-types' : name}">${name}</a>`
  }
  if (schema['const'] !== undefined) return `<code>${escapeHtml(JSON.stringify(schema['const']))}</code>`
  const values = listAt(schema, 'enum')
  if (values.length > 0) return values.map((member) => `<code>${escapeHtml(JSON.stringify(member))}</code>`).join(' | ')
  const branches = [...listAt(schema, 'anyOf'), ...listAt(schema, 'oneOf')]
  if (branches.length > 0) return branches.map(typeOf).join(' | ')
  const types = typeof schema['type'] === 'string' ? [schema['type']] : listAt(schema, 'type').map(String)
  if (types.length === 0) return 'anything'
  return types.map((type) => (type === 'array' ? `list of ${typeOf(schema['items'])}` : type === 'object' && schema['properties'] !== undefined ? objectInWords(schema) : type)).join(' | ')
}

function objectInWords (schema: JsonObject): string {
  return `{ ${Object.keys(objectAt(schema, 'properties')).map((name) => `<code>${escapeHtml(name)}</code>`).join(', ')} }`
}

const boundNames = [
  ['minimum', 'at least'], ['exclusiveMinimum', 'more than'], ['maximum', 'at most'], ['minLength', 'length at least'], ['maxLength', 'length at most'],
  ['minItems', 'items at least'], ['maxItems', 'items at most'], ['maxProperties', 'members at most'], ['pattern', 'pattern'], ['default', 'default']
] as const

function bounds (schema: JsonObject): string {
  const told = boundNames.flatMap(([key, words]) => (schema[key] === undefined ? [] : [`${words} <code>${escapeHtml(String(schema[key]))}</code>`]))
  return told.length === 0 ? '' : `<small>${told.join(', ')}</small>`
}
