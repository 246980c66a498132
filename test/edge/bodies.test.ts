import { test } from 'tap'
import { connect } from 'node:net'
import { once } from 'node:events'
import { ask, jsonType, key, startEdge } from './start-edge.ts'

const post = async (url: string, body: string | Buffer, headers: Record<string, string> = jsonType) => await ask(`${url}/echo`, { method: 'POST', headers, body })

test('bodies are application/json, with or without a charset; everything else is 415 and reaches no handler', async (t) => {
  const { url, handled } = await startEdge(t)
  for (const type of ['text/plain', 'text/plain; application/json', 'text/plain;charset=application/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/jsonp', 'x', '']) {
    t.match(await post(url, '{"text":"hi"}', { 'content-type': type }), { status: 415, json: { code: 'unsupported_media_type', suggestion: /application\/json/ } }, type)
  }
  t.strictSame(handled, [])
  for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset=UTF-8']) {
    t.match(await post(url, '{"text":"hi"}', { 'content-type': type }), { status: 200, json: { body: { text: 'hi' } } }, type)
  }
})

test('what is not JSON is 400 invalid_json, and the answer does not quote it', async (t) => {
  const { url, handled } = await startEdge(t)
  for (const body of ['{"text": <script>alert(1)</script>', '{"text":"hi"', 'undefined', '{"a":1}x', Buffer.from('7b2274657874223a22ff227d', 'hex')]) {
    const answer = await post(url, body)
    t.match(answer, { status: 400, json: { code: 'invalid_json' } }, String(body))
    t.notMatch(answer.text, /script|stack|position|node:|\.js/)
  }
  t.strictSame(handled, [])
})

test('a body that could poison a prototype is refused, however it is spelled', async (t) => {
  const { url } = await startEdge(t)
  for (const body of ['{"__proto__":{"admin":true}}', '{"free":{"\\u005f_proto__":{"admin":true}}}', '{"free":[{"constructor":{"prototype":{"admin":true}}}]}']) {
    t.match(await post(url, body), { status: 400, json: { code: 'invalid_json' } }, body)
  }
  t.equal(({} as Record<string, unknown>)['admin'], undefined)
  t.equal((await post(url, '{"free":{"constructor":"a word","text":"__proto__"}}')).status, 200)
})

test('jsonDepthMax: a body nested too deep is refused in every field, and brackets in strings do not count', async (t) => {
  const { url } = await startEdge(t)
  for (const field of ['text', 'free']) {
    t.match(await post(url, `{"${field}":${'['.repeat(500_000)}`), { status: 400, json: { code: 'invalid_json' } })
    t.match(await post(url, `{"${field}":${'['.repeat(64)}${']'.repeat(64)}}`), { status: 400, json: { code: 'invalid_json', detail: /64/ } })
  }
  t.equal((await post(url, `{"free":${'['.repeat(63)}${']'.repeat(63)}}`)).status, 200)
  t.equal((await post(url, JSON.stringify({ text: `\\"${'['.repeat(1000)}` }))).status, 200)
})

test('a body over the limit is 413 also while it is still being sent, and the server goes on', async (t) => {
  const { url } = await startEdge(t)
  const large = JSON.stringify({ text: 'x'.repeat(20_000_000) })
  t.match(await post(url, large), { status: 413, json: { code: 'payload_too_large' } })
  t.equal((await ask(`${url}/echo`)).status, 200)
  const smaller = await startEdge(t, { bodyBytesMax: 100 })
  t.equal((await post(smaller.url, JSON.stringify({ text: 'x'.repeat(100) }))).status, 413)
})

test('a client that reads nothing before it has sent its whole body still gets the 413', async (t) => {
  const { port } = await startEdge(t)
  const socket = connect(port, '127.0.0.1').pause()
  let answer = ''
  socket.on('error', (error) => { answer += error.message })
  socket.write(`POST /echo HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: 20000000\r\n\r\n`)
  await new Promise((resolve) => socket.write(Buffer.alloc(20_000_000, 0x20), resolve))
  socket.setEncoding('utf8').on('data', (text: string) => { answer += text }).resume()
  for (let i = 0; i < 200 && !answer.includes('}'); i++) await new Promise((resolve) => setTimeout(resolve, 10))
  socket.destroy()
  t.match(answer, /^HTTP\/1\.1 413 /)
})

test('requestTimeoutMs, headersTimeoutMs, timeoutCheckMs: requests that come too slowly are ended with 408, a hundred at once too', async (t) => {
  const { port, url } = await startEdge(t, { requestTimeoutMs: 300, headersTimeoutMs: 200, timeoutCheckMs: 50 })
  const answers = await Promise.all(Array.from({ length: 100 }, async (_, index) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    const head = `POST /echo HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${key}\r\n`
    socket.write(index % 2 === 0 ? head : `${head}content-type: application/json\r\ncontent-length: 100\r\n\r\n{"text":`)
    let text = ''
    socket.on('data', (data) => { text += data.toString() })
    await once(socket, 'close')
    return text
  }))
  for (const text of answers) {
    t.match(text, /^HTTP\/1\.1 408 /)
    t.match(text, /"code":"request_timeout"/)
  }
  t.equal((await ask(`${url}/echo`)).status, 200)
})

test('a body may be left out where every field is optional', async (t) => {
  const { url } = await startEdge(t)
  t.match(await ask(`${url}/echo`, { method: 'POST' }), { status: 200, json: { body: {} } })
  t.match(await ask(`${url}/echo`, { method: 'POST', headers: jsonType }), { status: 200, json: { body: {} } })
})

test('bodies are taken as they are: nothing is coerced, nothing unknown is dropped', async (t) => {
  const { url } = await startEdge(t)
  t.strictSame((await post(url, '{"note":null}')).json, { body: { note: null } })
  const refused = async (body: unknown) => {
    const answer = await post(url, JSON.stringify(body))
    t.match(answer, { status: 400, json: { code: 'invalid_request' } })
    return answer.json.errors
  }
  t.strictSame(await refused({ text: 5 }), [{ pointer: '/text', detail: 'must be string' }])
  t.strictSame(await refused({ text: 'x', extra: 1, 'a/b': 2 }), [{ pointer: '/extra', detail: 'is not known here' }, { pointer: '/a~1b', detail: 'is not known here' }])
  t.strictSame(await refused({ mode: 'yolo' }), [{ pointer: '/mode', detail: 'must be one of "ask", "auto"' }])
  t.strictSame(await refused({ content: 5 }), [{ pointer: '/content', detail: 'must be string or array' }])
  t.strictSame(await refused({ content: [{ type: 'text' }] }), [{ pointer: '/content/0/text', detail: 'is required' }])
  t.strictSame(await refused([]), [{ pointer: '', detail: 'must be object' }])
  t.strictSame(await refused(null), [{ pointer: '', detail: 'must be object' }])
  t.strictSame(await refused({ text: 1, note: 2 }), [{ pointer: '/text', detail: 'must be string' }, { pointer: '/note', detail: 'must be string or null' }])
})

test('the query is text on the wire: numbers are read, defaults filled in, the unknown refused', async (t) => {
  const { url } = await startEdge(t)
  t.match((await ask(`${url}/echo?limit=5`)).json, { query: { limit: 5 } })
  t.match((await ask(`${url}/echo`)).json, { query: { limit: 50 } })
  t.match(await ask(`${url}/echo?limit=0`), { status: 400, json: { code: 'invalid_request', errors: [{ pointer: '/limit', detail: 'must be >= 1' }] } })
  t.match(await ask(`${url}/echo?limit=x`), { status: 400, json: { errors: [{ pointer: '/limit', detail: 'must be integer' }] } })
  t.match(await ask(`${url}/echo?limt=3`), { status: 400, json: { errors: [{ pointer: '/limt', detail: 'is not known here' }] } })
})
