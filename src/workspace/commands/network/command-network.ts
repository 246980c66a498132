import { randomUUID } from 'node:crypto'
import { chmodSync, chownSync, closeSync, constants, mkdirSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { networkLookupsAtOnce } from '../../../limits.ts'
import type { Owner } from '../../walk.ts'
import { Slots } from '../slots.ts'
import { hostResolver, type Network } from './admit.ts'
import type { NetworkRule } from './destination.ts'
import { CommandProxy, defaultProxyLimits, type ProxyLimits } from './proxy.ts'

/** The network of one command, open while it runs. */
export interface OpenNetwork {
  /** The proxy's socket, on the host. */
  readonly socket: string
  /** What could not be reached. */
  refusals (): string[]
  close (): Promise<void>
}

/** Opens each command a proxy of its own, on a socket that no other sandbox has. */
export class CommandNetwork {
  readonly #network: Network
  readonly #directory: string
  readonly #handle: number
  readonly #owner: Owner | null
  readonly #limits: ProxyLimits

  /** What an earlier server left in `directory` is removed; nobody else uses it. */
  constructor (rules: readonly NetworkRule[], directory: string, owner: Owner | null, limits: Partial<ProxyLimits> = {}) {
    this.#directory = directory
    this.#owner = owner
    this.#limits = { ...defaultProxyLimits, ...limits }
    this.#network = { rules, resolve: hostResolver(new Slots(networkLookupsAtOnce), this.#limits.connectMs) }
    rmSync(directory, { recursive: true, force: true })
    mkdirSync(directory, { mode: 0o700 })
    // The commands' user has to pass through, and knows no names.
    if (owner !== null) chmodSync(directory, 0o711)
    this.#handle = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY)
  }

  get rules (): readonly NetworkRule[] { return this.#network.rules }

  async open (): Promise<OpenNetwork> {
    const name = randomUUID()
    const socket = join(this.#directory, name)
    const proxy = new CommandProxy(this.#network, this.#limits)
    // By the handle: the address of a socket has at most 107 bytes, and a data directory may lie deeper.
    await proxy.listen(`/proc/self/fd/${this.#handle}/${name}`)
    chmodSync(socket, 0o600)
    if (this.#owner !== null) chownSync(socket, this.#owner.uid, this.#owner.gid)
    return {
      socket,
      refusals: () => proxy.refusals.list(),
      close: async () => { await proxy.close() } // which removes the socket
    }
  }

  close (): void {
    closeSync(this.#handle)
  }
}
