import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { headerBytesMax, headersTimeoutMs, networkBytesMax, networkConnectMs, networkConnectionsMax, networkIdleMs } from '../../../limits.ts'
import { admit, type Network } from './admit.ts'
import type { Refused, Traffic, Waits } from './connect.ts'
import { parseDestination, showDestination, type Destination } from './destination.ts'
import { forward } from './forward.ts'
import { Refusals } from './refusals.ts'
import { tunnel } from './tunnel.ts'

export interface ProxyLimits extends Waits {
  readonly connections: number
  readonly bytes: number
}

export const defaultProxyLimits: ProxyLimits = {
  connections: networkConnectionsMax, bytes: networkBytesMax, connectMs: networkConnectMs, idleMs: networkIdleMs
}

/**
 * The HTTP proxy of one command: CONNECT, and plain HTTP in the absolute form. It listens on a socket that only this
 * command's sandbox has, and ends with it.
 */
export class CommandProxy implements Traffic {
  readonly refusals = new Refusals()
  readonly #network: Network
  readonly #limits: ProxyLimits
  readonly #server: Server
  readonly #connections = new Set<Duplex>()
  #bytes = 0

  constructor (network: Network, limits: ProxyLimits = defaultProxyLimits) {
    this.#network = network
    this.#limits = limits
    this.#server = createServer({ maxHeaderSize: headerBytesMax, headersTimeout: headersTimeoutMs, requestTimeout: 0 })
    this.#server.maxConnections = limits.connections
    this.#server.timeout = limits.idleMs
    this.#server.on('connection', (client) => { this.hold(client) })
    this.#server.on('drop', () => { this.refusals.add('a connection', `more than ${limits.connections} at once`) })
    this.#server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => { void this.#connect(request, client, head) })
    this.#server.on('request', (request: IncomingMessage, response: ServerResponse) => { void this.#request(request, response) })
  }

  async listen (path: string): Promise<void> {
    await new Promise<void>((resolve, reject) => { this.#server.once('error', reject).listen({ path }, resolve) })
  }

  async close (): Promise<void> {
    for (const connection of this.#connections) connection.destroy()
    await new Promise((resolve) => { this.#server.close(resolve) })
  }

  hold (connection: Duplex): void {
    this.#connections.add(connection)
    connection.on('error', () => {}) // its end says enough
    connection.on('close', () => { this.#connections.delete(connection) })
  }

  count (bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes <= this.#limits.bytes) return
    this.refusals.add('all connections', `more than ${this.#limits.bytes} bytes`)
    for (const connection of this.#connections) connection.destroy()
  }

  async #connect (request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    const refuse = ({ status, detail }: Refused): void => { client.end(answerText(status, detail)) }
    const destination = parseDestination(request.url ?? '')
    if (destination === null) { refuse({ status: 400, detail: 'CONNECT wants HOST:PORT.' }); return }
    const addresses = await this.#admit(destination, refuse)
    if (addresses === null || client.destroyed) return
    tunnel({ client, head, destination, addresses, traffic: this, waits: this.#limits, refuse: (refused) => { this.#failed(destination, refused, refuse) } })
  }

  async #request (request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refuse = ({ status, detail }: Refused): void => {
      response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' }).end(detail + '\n')
    }
    const url = /^http:\/\//i.test(request.url ?? '') && URL.canParse(request.url ?? '') ? new URL(request.url ?? '') : null
    const destination = url === null ? null : parseDestination(`${url.hostname}:${url.port === '' ? 80 : url.port}`)
    if (url === null || destination === null) { refuse({ status: 400, detail: 'This is a proxy: it wants CONNECT, or a request for http://HOST/….' }); return }
    const addresses = await this.#admit(destination, refuse)
    if (addresses === null || response.destroyed) return
    forward({ request, response, url, destination, addresses, traffic: this, waits: this.#limits, refuse: (refused) => { this.#failed(destination, refused, refuse) } })
  }

  async #admit (destination: Destination, refuse: (refused: Refused) => void) {
    const admission = await admit(this.#network, destination)
    if (admission.admitted) return admission.addresses
    this.refusals.add(showDestination(destination), admission.reason)
    refuse({ status: admission.status, detail: admission.detail })
    return null
  }

  #failed (destination: Destination, refused: Refused, refuse: (refused: Refused) => void): void {
    this.refusals.add(showDestination(destination), refused.status === 504 ? 'no answer in time' : 'no connection')
    refuse(refused)
  }
}

const reasons = { 400: 'Bad Request', 403: 'Forbidden', 502: 'Bad Gateway', 504: 'Gateway Timeout' } as const

function answerText (status: Refused['status'], detail: string): string {
  const body = `${detail}\n`
  return [
    `HTTP/1.1 ${status} ${reasons[status]}`, 'Content-Type: text/plain; charset=utf-8', `Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close', '', body
  ].join('\r\n')
}
