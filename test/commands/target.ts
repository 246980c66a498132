import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'

export interface Target {
  readonly port: number
  /** What arrived, in order. */
  readonly requests: Array<{ readonly method: string, readonly url: string, readonly headers: IncomingHttpHeaders, readonly body: string }>
  /** Connections that are open. */
  readonly open: Set<Socket>
  /** Connections that were ever made. */
  made: number
}

/** Another loopback address than the one that programs take no proxy for. */
export const targetHost = '127.0.0.2'

/** A real server somewhere else: says what it was asked. `/big/N` has N bytes, `/wait` never answers. */
export async function startTarget (t: Test, options: { host?: string, tls?: Certificate } = {}): Promise<Target> {
  const target: Target = { port: 0, requests: [], open: new Set(), made: 0 }
  const answer: RequestListener = (request, response) => {
    let body = ''
    request.on('data', (bytes: Buffer) => { body += bytes.toString() })
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      target.requests.push({ method, url, headers, body })
      if (url === '/wait') return
      const size = Number(/^\/big\/(\d+)$/.exec(url)?.[1])
      response.writeHead(200, { 'x-target': 'yes', connection: 'x-private, close', 'x-private': 'of this connection' })
      response.end(Number.isNaN(size) ? `reached ${method} ${url} with ${body.length}\n` : Buffer.alloc(size, 'x'))
    })
  }
  const server: Server = options.tls === undefined ? createServer(answer) : createTlsServer(options.tls, answer)
  server.on('connection', (socket: Socket) => {
    target.made++
    target.open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => { target.open.delete(socket) })
  })
  await new Promise<void>((resolve) => { server.listen(0, options.host ?? targetHost, resolve) })
  t.teardown(() => {
    for (const socket of target.open) socket.destroy()
    server.close()
  })
  const address = server.address()
  return Object.assign(target, { port: typeof address === 'object' ? address?.port ?? 0 : 0 })
}

export interface Certificate { readonly key: string, readonly cert: string }

/** For the target's address; made on the spot, so that no key lies about. Null: there is no openssl. */
export function makeCertificate (): Certificate | null {
  const directory = mkdtempSync(join(tmpdir(), 'ecluse-tls-'))
  try {
    const [key, cert] = [join(directory, 'key'), join(directory, 'cert')]
    execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1', '-subj', '/CN=target', '-addext', `subjectAltName=IP:${targetHost}`, '-keyout', key, '-out', cert], { stdio: 'ignore' })
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  } catch {
    return null
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
