/**
 * `npm run link`: prints a link that opens the console and carries the key. The key stands behind `#`, which a browser
 * keeps to itself. Reads the same environment and `.env` as the server.
 */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { parseEnv } from 'node:util'
import { fileURLToPath } from 'node:url'

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const dotEnv = existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {}
  const { link, problem } = consoleLink({ ...dotEnv, ...process.env }, (file) => existsSync(file) ? readFileSync(file, 'utf8') : null)
  if (problem !== null) process.stderr.write(`${problem}\n`)
  process.stdout.write(`${link}\n`)
  if (problem !== null) process.exitCode = 1
}

/**
 * @param {Record<string, string | undefined>} env
 * @param {(file: string) => string | null} read null: not there
 * @returns {{ link: string, problem: string | null }} the link without a key, when there is a problem
 */
export function consoleLink (env, read) {
  const base = (env.PUBLIC_URL || `http://${hostOf(env.HOST || '127.0.0.1')}:${env.PORT || 3000}`).replace(/\/+$/, '')
  const bare = `${base}/`
  if (env.AUTH === 'off') return { link: bare, problem: null }
  const configured = [env.API_KEYS, env.API_KEYS_FILE ? read(env.API_KEYS_FILE) : null].filter(Boolean).join('\n')
  const key = configured === '' ? read(path.join(env.DATA_DIR || './data', 'api-key'))?.trim() : firstKey(configured)
  if (key) return { link: `${bare}#key=${encodeURIComponent(key)}`, problem: null }
  return { link: bare, problem: configured === '' ? 'No key was made yet: start the server once.' : 'The configured keys are kept as digests: paste yours into the form.' }
}

/** Of `key`, `name:key` and `name:scopes:key`, the key of the first entry that is no digest. */
function firstKey (text) {
  return text.split(/[\n,]/).map((entry) => entry.trim()).filter((entry) => entry !== '' && !entry.startsWith('#'))
    .map((entry) => entry.split(':').at(-1)).find((key) => !key.startsWith('sha256='))
}

function hostOf (host) {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
