/** Where a request came in, as far as it decides which hosts and origins are the server's own. */
export interface Arrival {
  /** The Host header; undefined: none. */
  readonly host: string | undefined
  /** The Origin header; undefined: none. */
  readonly origin: string | undefined
  readonly localAddress: string
  readonly localPort: number
}

export interface OwnNames {
  /** `host` or `host:port`; without a port every port is meant. */
  readonly allowedHosts: readonly string[]
  /** Origin of PUBLIC_URL, or null. */
  readonly publicOrigin: string | null
  /** Origins as a browser writes them. */
  readonly corsOrigins: readonly string[]
}

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]'])

interface HostPort { readonly name: string, readonly port: string }

/** Splits `name`, `name:port`, `[v6]` and `[v6]:port`; the name in lower case without a final dot. Null: not a host. */
export function parseHost (text: string): HostPort | null {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i.exec(text)
  if (match?.[1] === undefined) return null
  return { name: match[1].toLowerCase().replace(/\.$/, ''), port: match[2] ?? '' }
}

/** The address as it stands in a URL. */
export function urlAddress (address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  return plain.includes(':') ? `[${plain.toLowerCase()}]` : plain
}

function isOwnHost (host: HostPort, arrival: Arrival, own: OwnNames): boolean {
  if (loopbackNames.has(host.name) || host.name === urlAddress(arrival.localAddress)) return true
  if (own.publicOrigin !== null && new URL(own.publicOrigin).hostname === host.name) return true
  return own.allowedHosts.some((entry) => {
    const allowed = parseHost(entry)
    return allowed !== null && allowed.name === host.name && (allowed.port === '' || allowed.port === host.port)
  })
}

/**
 * Whether the server answers for the Host that it was asked for. A page that rebinds its own name to this
 * server's address still sends its own name.
 */
export function hostAllowed (arrival: Arrival, own: OwnNames): boolean {
  const host = arrival.host === undefined ? null : parseHost(arrival.host)
  return host !== null && isOwnHost(host, arrival, own)
}

export type OriginVerdict = 'none' | 'own' | 'configured' | 'refused'

/**
 * Whose page sent the request. `own`: the server's own hosts with this scheme, and with this port or the one in
 * the Host header (the two differ behind a port forward). Call it only for an allowed host.
 */
export function judgeOrigin (arrival: Arrival, own: OwnNames): OriginVerdict {
  const { origin } = arrival
  if (origin === undefined) return 'none'
  if (own.corsOrigins.includes(origin)) return 'configured'
  if (origin === own.publicOrigin) return 'own'
  const host = origin.startsWith('http://') ? parseHost(origin.slice('http://'.length)) : null
  if (host === null || !isOwnHost(host, arrival, own)) return 'refused'
  const asked = parseHost(arrival.host ?? '')
  const sameAsHost = asked !== null && asked.name === host.name && (asked.port || '80') === (host.port || '80')
  return sameAsHost || (host.port || '80') === String(arrival.localPort) ? 'own' : 'refused'
}
