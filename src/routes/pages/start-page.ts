/** A static HTML page without scripts. `version` comes from package.json. */
export function startPage (version: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Écluse</title>
<style>
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 45rem; margin: 3rem auto; padding: 0 1rem }
code { font-family: ui-monospace, monospace; font-size: .9em }
</style>
<body>
<h1>Écluse ${version}</h1>
<p>A self-hosted HTTP agent server. A session owns a workspace; a message starts a run of model and tools; every step is an event of its stream; a dangerous tool call waits at the gate until somebody approves it.</p>
<ul>
<li><a href="docs">Reference of the API</a></li>
<li><a href="docs/errors#codes">Errors</a></li>
<li><a href="openapi.yaml">openapi.yaml</a>, <a href="openapi.json">openapi.json</a></li>
<li><a href="health">Health</a>, <a href="ready">readiness</a></li>
</ul>
<p>Everything else wants <code>Authorization: Bearer KEY</code>. The server's first lines on its terminal say where the key is.</p>
</body>
</html>
`
}
