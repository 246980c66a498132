import type { Capability } from './routes/operations.ts'

export interface BannerFacts {
  readonly version: string
  readonly url: string
  readonly dataDir: string
  readonly model: string
  readonly capabilities: readonly Capability[]
  readonly notes: readonly string[]
  /** Where a caller finds a key. */
  readonly key:
    | { readonly from: 'off' }
    | { readonly from: 'configuration' }
    /** `fresh` is the key itself, only for a terminal and only right after it was made. */
    | { readonly from: 'file', readonly file: string, readonly fresh: string | null }
}

/** What the server says when it listens: where, what with, and lines to paste. The first line is for programs too. */
export function banner (facts: BannerFacts): string {
  const lines = [`Écluse ${facts.version} listens on ${facts.url}`, '', `  data    ${facts.dataDir}`]
  lines.push(facts.model === 'demo'
    ? '  model   DEMO: a script that plays a model, no AI. Set MODEL, e.g. MODEL=openrouter/NAME with OPENROUTER_API_KEY.'
    : `  model   ${facts.model}`)
  for (const { name, available, reason } of facts.capabilities) if (!available) lines.push(`  off     ${name}: ${reason ?? 'not available'}`)
  lines.push(`  console ${consoleLink(facts)}`)
  if (facts.key.from === 'off') lines.push('  auth    OFF: whoever reaches the port may do everything')
  if (facts.key.from === 'configuration') lines.push('  auth    keys from API_KEYS or API_KEYS_FILE')
  if (facts.key.from === 'file') lines.push(`  auth    key in ${facts.key.file}${facts.key.fresh === null ? '' : ` (made now): ${facts.key.fresh}`}`)
  lines.push(...facts.notes.map((note) => `  note    ${note}`), '', 'Try it:', '', ...recipe(facts).map((line) => `  ${line}`), '')
  return lines.join('\n')
}

/** What follows `#` never leaves the browser. */
function consoleLink ({ url, key }: BannerFacts): string {
  if (key.from !== 'file') return `${url}/`
  return key.fresh === null ? `${url}/ (npm run link prints a link that carries the key)` : `${url}/#key=${key.fresh}`
}

/** A session, a message that wants to write a file, the approval it waits for, and the answer. Needs a shell and curl. */
function recipe ({ url, key }: BannerFacts): string[] {
  const auth = key.from === 'off' ? '' : ' -H "Authorization: Bearer $KEY"'
  const keyLine = { off: [], configuration: ['KEY=...   # one of your API keys'], file: key.from === 'file' ? [`KEY=$(cat ${quoted(key.file)})`] : [] }[key.from]
  const curl = `curl -s${auth}`
  const json = '-H "Content-Type: application/json"'
  return [
    ...keyLine,
    `URL=${url}`,
    `S=$(${curl} ${json} -d '{}' $URL/sessions | grep -o 'ses_[A-Za-z0-9_-]*' | head -n 1)`,
    `${curl} ${json} -d '{"content":"Write hello.txt with a greeting"}' $URL/sessions/$S/messages; echo`,
    `C=$(${curl} "$URL/approvals?status=pending&sessionId=$S" | grep -o 'call_[A-Za-z0-9_-]*' | head -n 1)`,
    `${curl} ${json} -d '{"decision":"approve"}' $URL/approvals/$C; echo`,
    `${curl} -N -H "Accept: text/event-stream" $URL/sessions/$S/events   # everything that happened; Ctrl+C ends it`
  ]
}

function quoted (file: string): string {
  return /^[A-Za-z0-9_./-]+$/.test(file) ? file : `'${file.replaceAll('\'', '\'\\\'\'')}'`
}
