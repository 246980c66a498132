import { request as send, type IncomingMessage, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import { connectTo, type Refused, type Way } from './connect.ts'

/** Headers of one connection only, and `expect`, which is answered here. */
const hopByHop = new Set(['connection', 'proxy-connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'expect'])

/** Passes one plain HTTP request on, and its answer back; each has a connection of its own. */
export function forward ({ request, response, url, refuse, ...way }: Way & {
  readonly request: IncomingMessage, readonly response: ServerResponse, readonly url: URL, refuse (refused: Refused): void
}): void {
  const failed = (): void => {
    if (response.headersSent || response.destroyed) response.destroy()
    else refuse({ status: 502, detail: `${url.host} is allowed, but gave no answer that is HTTP.` })
  }
  const upstream = connectTo(way, (socket) => {
    const onward = send({
      createConnection: () => socket,
      method: request.method,
      path: `${url.pathname}${url.search}`,
      // The name that was checked: a Host of the client's own could lead to another site at the same address.
      headers: { ...endToEnd(request), host: url.host, connection: 'close', ...(request.headers['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' }) }
    })
    onward.on('response', (answer) => {
      answer.on('data', (bytes: Buffer) => { way.traffic.count(bytes.length) })
      try {
        response.writeHead(answer.statusCode ?? 502, endToEnd(answer))
      } catch { // a status or a header that no answer can have
        socket.destroy()
        failed()
        return
      }
      pipeline(answer, response, () => {})
    })
    onward.on('error', failed)
    onward.on('close', () => { if (!response.headersSent) failed() }) // such as an upgrade, which nobody asked for
    request.on('data', (bytes: Buffer) => { way.traffic.count(bytes.length) })
    pipeline(request, onward, () => {})
  }, refuse)
  response.on('error', () => {}) // whoever asked has gone
  response.on('close', () => { upstream.destroy() })
}

function endToEnd (message: IncomingMessage): Record<string, string[]> {
  const named = (message.headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase())
  return Object.fromEntries(Object.entries(message.headersDistinct).flatMap(([name, values]) => {
    return values === undefined || hopByHop.has(name) || named.includes(name) ? [] : [[name, values]]
  }))
}
