import { escapeHtml, page } from './page.ts'

export function startPage (version: string): string {
  return page('Écluse', `<h1>Écluse ${escapeHtml(version)}</h1>
<p>A self-hosted HTTP agent server. A session owns a workspace; a message starts a run of model and tools; every step is an event of its stream; a dangerous tool call waits at the gate until somebody approves it.</p>
<ul>
<li><a href="docs">Reference of the API</a></li>
<li><a href="docs/errors">Errors</a></li>
<li><a href="openapi.yaml">openapi.yaml</a>, <a href="openapi.json">openapi.json</a></li>
<li><a href="health">Health</a>, <a href="ready">readiness</a></li>
</ul>
<p>Everything else wants <code>Authorization: Bearer KEY</code>. The server's first lines on its terminal say where the key is.</p>`)
}
