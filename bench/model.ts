import { createServer, type ServerResponse } from 'node:http'

/**
 * A model as fast as HTTP allows. What it does is in the last user message:
 * `paced N MS`: N deltas, one each MS; `flood N`: N deltas as fast as they are taken; `reads N`: N steps of one
 * read_file each, then a word; `write`: one write_file. Each delta is one write, and has one `¤`.
 */
interface Body { messages: Array<{ role: string, content: unknown }> }

const chunk = (delta: object, finish: string | null = null): string => `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
const text = chunk({ content: 'lorem ipsum¤ ' })
const callOf = (name: string, args: object, id: string): string => chunk({ tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: JSON.stringify(args) } }] })
const tail = (finish: string): string => chunk({}, finish) + 'data: {"choices":[],"usage":{"prompt_tokens":100,"completion_tokens":20}}\n\ndata: [DONE]\n\n'

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => { parts.push(part) })
  request.on('end', () => {
    const { messages } = JSON.parse(Buffer.concat(parts).toString()) as Body // only our subjects call this
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const asked = String(messages.filter(({ role }) => role === 'user').at(-1)?.content)
    const [, kind, count, interval] = /^(paced|flood|reads|write)(?: (\d+))?(?: (\d+))?/.exec(asked) ?? []
    const since = messages.length - 1 - messages.findLastIndex(({ role }) => role === 'user')
    switch (kind) {
      case 'paced': paced(response, Number(count), Number(interval)); break
      case 'flood': flood(response, Number(count)); break
      case 'reads':
        if (since / 2 < Number(count)) response.end(callOf('read_file', { path: 'a.txt', offset: since + 1 }, `c${since}`) + tail('tool_calls'))
        else response.end(text + tail('stop'))
        break
      case 'write': response.end(callOf('write_file', { path: 'b.txt', content: 'x'.repeat(200) }, 'c') + tail('tool_calls')); break
      default: response.end(text + tail('stop'))
    }
  })
})

function paced (response: ServerResponse, count: number, intervalMs: number): void {
  let left = count
  const step = (): void => {
    response.write(text)
    if (--left > 0) return
    clearInterval(timer)
    response.end(tail('stop'))
  }
  const timer = setInterval(step, intervalMs)
  response.on('close', () => { clearInterval(timer) })
}

function flood (response: ServerResponse, count: number): void {
  let left = count
  const go = (): void => {
    while (left > 0) {
      left--
      if (!response.write(text)) {
        response.once('drain', go)
        return
      }
    }
    response.end(tail('stop'))
  }
  go()
}

server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () => {
  const address = server.address()
  process.stdout.write(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1\n`)
})
