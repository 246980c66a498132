import { errorTables } from './reference/error-tables.ts'
import { escapeHtml, prose } from './reference/html.ts'
import { operationsOf, operationSection } from './reference/operations.ts'
import { schemaSection } from './reference/schema-tables.ts'
import { style } from './reference/style.ts'
import { listAt, objectAt, textAt, type Json, type JsonObject } from './openapi/json.ts'
import { componentPrefix } from './openapi/schemas.ts'

/** `docs/reference.html`: the contract for reading, one static page without scripts. */
export function referencePage (document: JsonObject): string {
  const info = objectAt(document, 'info')
  const schemas = objectAt(document, 'components', 'schemas')
  const events = listAt(schemas['Event'], 'oneOf').map((branch) => textAt(branch, '$ref').slice(componentPrefix.length))
  const unions = ['Event', 'SessionEvent', 'EphemeralEvent']
  const shapes = Object.keys(schemas).filter((name) => !events.includes(name) && !unions.includes(name))
  const tags = listAt(document, 'tags')
  const operations = operationsOf(document)
  return page(`${textAt(info, 'title')} ${textAt(info, 'version')}: reference`, [
    `<header><h1>${escapeHtml(textAt(info, 'title'))} <small>${escapeHtml(textAt(info, 'version'))}</small></h1>${prose(textAt(info, 'description'))}`,
    '<p>Every request carries <code>Authorization: Bearer KEY</code>. This page is made from <a href="../openapi.yaml">openapi.yaml</a>.</p></header>',
    contents(tags, operations.map(({ tag, id, summary }) => ({ tag, id, summary }))),
    '<main>',
    ...tags.map((tag) => [
      `<section><h2 id="${anchor(textAt(tag, 'name'))}">${escapeHtml(title(textAt(tag, 'name')))}</h2>${prose(textAt(tag, 'description'))}`,
      ...operations.filter((operation) => operation.tag === textAt(tag, 'name')).map(operationSection),
      '</section>'
    ].join('\n')),
    `<section><h2 id="event-types">Event types</h2>${prose('What a stream carries, as `event:` and in `type`. Events of the log have an `id`; previews have none, and a client may ignore them all.')}`,
    eventTable(events, schemas),
    ...events.map((name) => schemaSection(name, objectAt(schemas[name]))),
    '</section>',
    '<section><h2 id="shapes">Shapes</h2>',
    ...shapes.map((name) => schemaSection(name, objectAt(schemas[name]))),
    '</section>',
    `<section><h2 id="codes">Codes</h2>${errorTables()}</section>`,
    '</main>'
  ])
}

function eventTable (names: string[], schemas: JsonObject): string {
  const rows = names.map((name) => {
    const schema = objectAt(schemas[name])
    const kind = objectAt(schema, 'properties', 'seq')['type'] === undefined ? 'preview' : 'log'
    return `<tr><td><a href="#${name}"><code>${textAt(objectAt(schema, 'properties', 'type'), 'const')}</code></a></td><td>${kind}</td><td>${prose(textAt(schema, 'description'))}</td></tr>`
  })
  return `<div class="wide"><table><thead><tr><th>type</th><th>kind</th><th>when</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`
}

function contents (tags: Json[], operations: Array<{ tag: string, id: string, summary: string }>): string {
  const items = tags.map((tag) => {
    const name = textAt(tag, 'name')
    const links = operations.filter((operation) => operation.tag === name)
      .map(({ id, summary }) => `<li><a href="#${id}">${escapeHtml(summary)}</a></li>`)
    return `<li><a href="#${anchor(name)}">${escapeHtml(title(name))}</a><ul>${links.join('')}</ul></li>`
  })
  const rest = [['event-types', 'Event types'], ['shapes', 'Shapes'], ['codes', 'Codes']].map(([id, text]) => `<li><a href="#${id}">${text}</a></li>`)
  return `<nav aria-label="Contents"><ul>${[...items, ...rest].join('\n')}</ul></nav>`
}

function page (name: string, body: string[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(name)}</title>
<style>${style}</style>
</head>
<body>
${body.join('\n')}
</body>
</html>
`
}

const anchor = (name: string) => name.replaceAll(' ', '-')
const title = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`
