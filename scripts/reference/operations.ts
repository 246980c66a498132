import { listAt, objectAt, textAt, type Json, type JsonObject } from '../openapi/json.ts'
import { escapeHtml, inline, prose } from './html.ts'
import { typeOf } from './schema-tables.ts'

export interface Operation {
  readonly id: string
  readonly tag: string
  readonly summary: string
  readonly method: string
  readonly path: string
  readonly body: JsonObject
}

/** The operations in the order of the document. */
export function operationsOf (document: JsonObject): Operation[] {
  return Object.entries(objectAt(document, 'paths')).flatMap(([path, item]) => Object.entries(objectAt(item)).map(([method, value]) => ({
    id: textAt(value, 'operationId'),
    tag: String(listAt(value, 'tags')[0] ?? ''),
    summary: textAt(value, 'summary'),
    method: method.toUpperCase(),
    path,
    body: objectAt(value)
  })))
}

export function operationSection ({ id, summary, method, path, body }: Operation): string {
  return [
    `<article id="${id}"><h3>${escapeHtml(summary)}</h3>`,
    `<p class="route"><b>${method}</b> <code>${escapeHtml(path)}</code></p>`,
    prose(textAt(body, 'description')),
    parameterTable(listAt(body, 'parameters')),
    ...Object.entries(objectAt(body, 'requestBody', 'content')).map(([type, media]) => `<p>Body: ${typeOf(objectAt(media)['schema'])} as <code>${type}</code>${objectAt(body, 'requestBody')['required'] === true ? '' : ', may be left out'}</p>`),
    responseTable(objectAt(body, 'responses')),
    '</article>'
  ].join('\n')
}

function parameterTable (parameters: Json[]): string {
  if (parameters.length === 0) return ''
  const rows = parameters.map((parameter) => {
    const optional = objectAt(parameter)['required'] === true ? '' : ' <small>optional</small>'
    return `<tr><td><code>${escapeHtml(textAt(parameter, 'name'))}</code>${optional}</td><td>${textAt(parameter, 'in')}</td><td>${typeOf(objectAt(parameter)['schema'])}</td><td>${inline(textAt(parameter, 'description'))}</td></tr>`
  })
  return `<div class="wide"><table><thead><tr><th>parameter</th><th>in</th><th>type</th><th>meaning</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`
}

function responseTable (responses: JsonObject): string {
  const rows = Object.entries(responses).map(([status, response]) => {
    const forms = Object.entries(objectAt(response, 'content')).map(([type, media]) => `${typeOf(objectAt(media)['schema'])} <small>${type}</small>`)
    return `<tr><td><code>${status}</code></td><td>${forms.join('<br>')}</td><td>${inline(textAt(response, 'description'))}</td></tr>`
  })
  return `<div class="wide"><table><thead><tr><th>status</th><th>answer</th><th>when</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`
}
