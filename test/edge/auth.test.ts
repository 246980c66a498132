import { test } from 'tap'
import { createHash } from 'node:crypto'
import { parseKeys, findCaller } from '../../src/routes/edge/keys.ts'
import { ask, jsonType, key, readerKey, startEdge } from './start-edge.ts'

test('no key, a wrong key, a key in the query or in another scheme: 401 with WWW-Authenticate', async (t) => {
  const { url, handled } = await startEdge(t)
  for (const [path, headers] of [
    ['/echo', {}], ['/echo', { authorization: 'Bearer wrong-wrong-wrong-wrong' }], [`/echo?token=${key}&api_key=${key}&access_token=${key}`, {}],
    ['/echo', { authorization: `Basic ${key}` }], ['/echo', { authorization: key }], ['/echo', { authorization: 'Bearer ' }], ['/nowhere', {}]
  ] as const) {
    const answer = await ask(`${url}${path}`, { as: null, headers })
    t.equal(answer.status, 401, JSON.stringify([path, headers]))
    t.match(answer.headers['www-authenticate'], /^Bearer/)
    t.match(answer.json, { code: 'unauthorized', status: 401 })
  }
  t.strictSame(handled, [])
})

test('a good key works whatever the case of the scheme, and its name is the caller\'s', async (t) => {
  const { url } = await startEdge(t)
  t.match((await ask(`${url}/echo`, { as: null, headers: { authorization: `bearer ${readerKey}` } })).json, { by: 'reader' })
  t.match((await ask(`${url}/echo`)).json, { by: null })
})

test('a key without the scope is refused before its body is read', async (t) => {
  const { url, handled } = await startEdge(t)
  const answer = await ask(`${url}/echo`, { method: 'POST', as: readerKey, headers: jsonType, body: '{not json' })
  t.match(answer, { status: 403, json: { code: 'scope_missing', detail: /run/ } })
  t.strictSame(handled, [])
})

test('a public route answers nobody, and knows who comes with a key', async (t) => {
  const { url } = await startEdge(t)
  t.strictSame((await ask(`${url}/status`, { as: null })).json, { by: null, may: [] })
  t.strictSame((await ask(`${url}/status`, { as: 'wrong-wrong-wrong-wrong' })).json, { by: null, may: [] })
  t.strictSame((await ask(`${url}/status`, { as: readerKey })).json, { by: 'reader', may: ['read'] })
})

test('with authentication off everybody may do everything', async (t) => {
  const { url } = await startEdge(t, { keys: null })
  t.match((await ask(`${url}/echo`, { as: null })).json, { by: null })
  t.match((await ask(`${url}/echo`, { as: null, method: 'POST', headers: jsonType, body: '{}' })).status, 200)
})

test('entries of API keys: bare, named, with scopes, in a team, hashed; comments and blank lines between', async (t) => {
  const hex = createHash('sha256').update('the-secret-of-the-bot').digest('hex')
  const { keys, faults } = parseKeys(`# comment, with a comma\nplain-key-plain-key\n\nci:run+read:ci-key-ci-key-ci-key, team/ann:ann-key-ann-key-ann\nbot:approve:sha256=${hex}\n`)
  t.strictSame(faults, [])
  t.strictSame(keys.map(({ caller }) => [caller.name, [...caller.scopes].sort()]), [
    [null, ['admin', 'approve', 'read', 'run']], ['ci', ['read', 'run']], ['team/ann', ['admin', 'approve', 'read', 'run']], ['bot', ['approve']]
  ])
  t.equal(findCaller(keys, 'the-secret-of-the-bot')?.name, 'bot')
  t.equal(findCaller(keys, 'ci-key-ci-key-ci-key')?.name, 'ci')
  t.equal(findCaller(keys, `sha256=${hex}`), null)
  t.equal(findCaller(keys, 'nobody-has-this-key-at-all'), null)
})

test('faulty entries are named by their place, never by their text', async (t) => {
  const { faults } = parseKeys('short,a:fly:key-key-key-key-key,a b:key-key-key-key-key,a:b:c:d,x:sha256=12,same-same-same-same,same-same-same-same,a/b/c:key-key-key-key-key,n:')
  t.strictSame(faults.map((fault) => /^entry (\d)/.exec(fault)?.[1]), ['1', '2', '3', '4', '5', '7', '8', '9'])
  t.notMatch(faults.join('\n'), /short,|key-key|same-same/)
  t.match(faults[0], /shorter than 16/)
})
