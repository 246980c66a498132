import { test } from 'tap'
import path from 'node:path'
import { ConfigError, loadConfig } from '../../src/config.ts'
import { readValues } from '../../src/config/read-values.ts'
import { allowedValues, variables } from '../../src/config/variables.ts'

function faultsOf (environment: Record<string, string>, directory = '/nowhere-at-all'): readonly string[] {
  try {
    loadConfig(environment, directory)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
}

test('without anything set there is a demo server on loopback', async (t) => {
  const config = loadConfig({}, '/srv/somewhere')
  t.match(config, { host: '127.0.0.1', port: 3000, auth: 'on', keys: [], dataDir: '/srv/somewhere/data', model: { defaultName: 'demo' }, policy: { rules: [] }, resumeRuns: true, approvalTimeoutMs: null, notes: [] })
  t.strictSame(config.own, { allowedHosts: [], publicOrigin: null, corsOrigins: [] })
})

test('every default fits its own schema', async (t) => {
  t.strictSame(readValues({}).faults, [])
  for (const [name, { schema, fallback }] of Object.entries(variables)) {
    if (fallback === null) continue
    t.strictSame(readValues({ [name]: fallback }).faults, [], name)
    t.not(allowedValues(schema), '', name)
  }
})

test('all faults come at once: variable, what is wrong, what is allowed; no secret among them', async (t) => {
  const directory = t.testdir({ 'policy.json': '{"mode":"yolo","rules":[{"tool":"x"}]}', 'keys.txt': '# none\n' })
  const faults = faultsOf({
    PORT: '70000',
    LOG_LEVEL: 'loud',
    HEARTBEAT_MS: '3.5',
    MAX_STEPS: '0x10',
    RESUME_RUNS: 'yes',
    MODEL: 'openrouter/some/model',
    AUTH: 'off',
    HOST: '0.0.0.0',
    CORS_ORIGINS: '*',
    PUBLIC_URL: 'ftp://x',
    API_KEYS: 'SECRET,a:fly:SECRETSECRETSECRETSECRET',
    API_KEYS_FILE: 'keys.txt',
    POLICY_FILE: 'policy.json',
    ALLOWED_HOSTS: 'http://x'
  }, directory)
  for (const line of [
    /^PORT: "70000" .*0 to 65535/, /^LOG_LEVEL: "loud" .*fatal, error, warn/, /^HEARTBEAT_MS: "3\.5"/, /^MAX_STEPS: "0x10"/, /^RESUME_RUNS: .*on, off/,
    /^OPENROUTER_API_KEY: is not set/, /^AUTH: off .*loopback/, /^CORS_ORIGINS: .*without a path/, /^PUBLIC_URL: /, /^API_KEYS: entry 1 .*16/,
    /^API_KEYS: entry 2 .*read, run, approve, admin/,
    /^API_KEYS_FILE: holds no key/, /^POLICY_FILE: at \/mode/, /^POLICY_FILE: at \/rules\/0\/decision/, /^ALLOWED_HOSTS: /
  ]) t.ok(faults.some((fault) => line.test(fault)), `${line}`)
  t.notMatch(faults.join('\n'), /SECRET(?!_)/)
})

test('files that cannot be read are faults', async (t) => {
  t.match(faultsOf({ API_KEYS_FILE: 'none.txt', POLICY_FILE: 'none.json' }, t.testdir({})), [/^API_KEYS_FILE: .*ENOENT/, /^POLICY_FILE: .*ENOENT/])
  t.match(faultsOf({ POLICY_FILE: 'p.json' }, t.testdir({ 'p.json': '{' })), [/^POLICY_FILE: is not JSON/])
  t.match(faultsOf({}, t.testdir({ '.env': {} })), [/^\.env: .*EISDIR/])
})

test('.env is read, and the environment wins over it, also with an empty value', async (t) => {
  const directory = t.testdir({ '.env': 'PORT=4000\nHOST="localhost"\nMODEL=ollama/llama\n# a comment\nDATA_DIR=state\n' })
  const config = loadConfig({ PORT: '5000', MODEL: '' }, directory)
  t.match(config, { port: 5000, host: 'localhost', model: { defaultName: 'demo' }, dataDir: path.join(directory, 'state') })
})

test('a provider of a model needs its key or its URL; the demo with a key set is only a note', async (t) => {
  t.match(faultsOf({ MODEL: 'openai/gpt' }), [/^OPENAI_API_KEY/])
  t.match(faultsOf({ MODEL: 'custom/m' }), [/^MODEL_BASE_URL/])
  t.match(faultsOf({ MODEL: 'gpt-4' }), [/^MODEL: .*openrouter\/NAME/])
  t.match(faultsOf({ MODEL: 'openai/' }), [/^MODEL/])
  t.strictSame(faultsOf({ MODEL: 'ollama/llama3' }), [])
  t.strictSame(faultsOf({ MODEL: 'custom/m', MODEL_BASE_URL: 'http://127.0.0.1:9/v1' }), [])
  t.match(loadConfig({ OPENROUTER_API_KEY: 'sk-x' }, '/nowhere-at-all').notes, [/MODEL=openrouter\/NAME/])
})

test('keys of the variable and of the file are one list without repeats', async (t) => {
  const directory = t.testdir({ 'keys.txt': '# the bots\nci:read+run:ci-key-ci-key-ci-key\n' })
  t.strictSame(loadConfig({ API_KEYS: 'ann:ann-key-ann-key-ann', API_KEYS_FILE: 'keys.txt' }, directory).keys.map((key) => key.caller.name), ['ann', 'ci'])
  t.match(faultsOf({ API_KEYS: 'ci-key-ci-key-ci-key', API_KEYS_FILE: 'keys.txt' }, directory), [/repeats a key/])
})

test('lists of hosts and origins, and the policy file, arrive as what they mean', async (t) => {
  const directory = t.testdir({ 'p.json': '{"rules":[{"tool":"write_file","path":"docs/**","decision":"allow"}]}' })
  const config = loadConfig({ ALLOWED_HOSTS: 'a.example, b.example:8443', CORS_ORIGINS: 'https://ui.example/'.slice(0, -1) + ', http://localhost:5173', PUBLIC_URL: 'https://agent.example/base/', POLICY_FILE: 'p.json', AUTH: 'off' }, directory)
  t.strictSame(config.own, { allowedHosts: ['a.example', 'b.example:8443'], publicOrigin: 'https://agent.example', corsOrigins: ['https://ui.example', 'http://localhost:5173'] })
  t.strictSame(config.policy, { rules: [{ tool: 'write_file', path: 'docs/**', decision: 'allow' }], network: [] })
})

test('the policy file may list where commands may connect to; what is no destination is a fault with its place', async (t) => {
  const directory = t.testdir({
    'good.json': '{"network":["registry.npmjs.org","*.debian.org:443","[::1]:9"]}',
    'bad.json': '{"network":["registry.npmjs.org","https://a.example/",""]}',
    'worse.json': '{"network":["https://a.example/","a.example:0"]}'
  })
  const { policy } = loadConfig({ POLICY_FILE: 'good.json' }, directory)
  t.strictSame(policy.rules, [])
  t.match(policy.network, [{ host: 'registry.npmjs.org', ports: [443, 80] }, { host: 'debian.org', below: true, ports: [443] }, { host: '::1', ports: [9] }])
  t.match(faultsOf({ POLICY_FILE: 'bad.json' }, directory), [/^POLICY_FILE: at \/network\/2: /])
  t.match(faultsOf({ POLICY_FILE: 'worse.json' }, directory), [/^POLICY_FILE: at \/network\/0: "https:\/\/a\.example\/" is no destination; allowed: a host name/, /^POLICY_FILE: at \/network\/1: /])
  t.strictSame(loadConfig({}, directory).policy, { rules: [], network: [] })
})
