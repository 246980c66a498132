import type { LookupAddress } from 'node:dns'
import { connect, type LookupFunction, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { showDestination, type Destination } from './destination.ts'

/** What hangs on all connections of one command. */
export interface Traffic {
  /** Counts bytes of any of them, either way; at the bound all are cut. */
  count (bytes: number): void
  /** It is cut with the command. */
  hold (connection: Duplex): void
}

/** Why a destination is not connected to. `detail` is for people and models alike. */
export interface Refused { readonly status: 400 | 403 | 502 | 504, readonly detail: string }

/** How long a destination may be silent. */
export interface Waits {
  /** Before it is connected to. */
  readonly connectMs: number
  /** From then on. */
  readonly idleMs: number
}

export interface Way {
  readonly destination: Destination
  /** Those that were checked: nothing is looked up again. */
  readonly addresses: readonly LookupAddress[]
  readonly traffic: Traffic
  readonly waits: Waits
}

/** Connects to one of the checked addresses. What came of it is told once, to `onConnect` or `onFailure`. */
export function connectTo ({ destination, addresses, traffic, waits }: Way, onConnect: (socket: Socket) => void, onFailure: (refused: Refused) => void): Socket {
  const { host, port } = destination
  const found: LookupFunction = (_host, options, callback) => {
    const [first] = addresses
    if (options.all === true) callback(null, [...addresses])
    else callback(null, first?.address ?? '', first?.family)
  }
  const socket = connect({ host, port, lookup: found, autoSelectFamily: true, allowHalfOpen: true })
  traffic.hold(socket)
  const shown = showDestination(destination)
  let settled = false
  const fail = (refused: Refused): void => {
    if (settled) return
    settled = true
    socket.destroy()
    onFailure(refused)
  }
  const timer = setTimeout(() => { fail({ status: 504, detail: `${shown} did not answer within ${waits.connectMs} ms.` }) }, waits.connectMs)
  socket.on('error', () => { fail({ status: 502, detail: `${shown} is allowed, but cannot be connected to.` }) })
  socket.on('close', () => { fail({ status: 502, detail: `${shown} is allowed, but the connection was cut.` }) })
  socket.on('connect', () => {
    if (settled) return
    settled = true
    clearTimeout(timer)
    socket.setTimeout(waits.idleMs, () => { socket.destroy() })
    onConnect(socket)
  })
  socket.once('close', () => { clearTimeout(timer) })
  return socket
}
