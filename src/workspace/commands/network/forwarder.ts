import { networkConnectionsMax } from '../../../limits.ts'
import type { SandboxFile } from '../profile.ts'

const folder = '/opt/network'
/** Where the forwarder listens inside; the namespace is the command's own, so it is free. */
const port = 3128
const node = `${folder}/node`
const script = `${folder}/forward.cjs`
/** Where the proxy's socket is inside. */
const socket = `${folder}/proxy`

/**
 * Runs inside: every connection to the port goes to the proxy's socket. It decides nothing, and a command that ends it or
 * takes its place has won nothing but the loss of its network. It takes in one connection more than the proxy, which refuses
 * it and tells.
 */
const forwarder = `'use strict'
const net = require('node:net')
const { pipeline } = require('node:stream')
const server = net.createServer({ allowHalfOpen: true }, (client) => {
  const proxy = net.connect({ path: '${socket}', allowHalfOpen: true })
  pipeline(client, proxy, () => {})
  pipeline(proxy, client, () => {})
})
server.maxConnections = ${networkConnectionsMax + 1}
server.listen(${port}, '127.0.0.1', () => { require('node:fs').writeSync(1, 'ready\\n') })
`

/** Starts the forwarder and then, when it listens, the program itself in place of this shell. */
const starter = `exec 3< <(exec /usr/bin/env -i UV_THREADPOOL_SIZE=1 ${node} --no-warnings --v8-pool-size=1 ${script})
read -r -u 3 && exec 3<&- && exec "$@"
echo 'The way to the network could not be opened, so the command was not run.' >&2
exit 126`

export const forwarderFile: SandboxFile = { path: script, content: Buffer.from(forwarder) }

/** Arguments of bwrap: the server's own Node, which needs nothing but the system's libraries, and the socket. */
export function networkMounts (socketOnHost: string): string[] {
  return ['--ro-bind', process.execPath, node, '--ro-bind', socketOnHost, socket]
}

export function withForwarder (argv: readonly string[]): string[] {
  return ['/bin/bash', '--noprofile', '--norc', '-c', starter, 'bash', ...argv]
}

const proxyUrl = `http://127.0.0.1:${port}`
const direct = 'localhost,127.0.0.1,::1'

/** What programs find the proxy by; some read one spelling, some the other. */
export const networkEnvironment: Readonly<Record<string, string>> = {
  HTTP_PROXY: proxyUrl, HTTPS_PROXY: proxyUrl, http_proxy: proxyUrl, https_proxy: proxyUrl, NO_PROXY: direct, no_proxy: direct
}

/** Printed from inside: the first line of the proxy's answer, through the forwarder. */
export const networkProbeScript = `exec 3<>/dev/tcp/127.0.0.1/${port} && printf 'CONNECT [::]:1 HTTP/1.1\\r\\nHost: [::]:1\\r\\n\\r\\n' >&3 && read -r line <&3 && echo "$line"`
