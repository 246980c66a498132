import { lookup, type LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import { randomUUID } from 'node:crypto'
import type { Slots } from '../slots.ts'
import { namesAddress, ruleFor, showDestination, type Destination, type NetworkRule } from './destination.ts'
import { isPublicAddress } from './public-address.ts'

export type Resolve = (host: string) => Promise<readonly LookupAddress[]>

/** Where a command may connect to, and how names become addresses. */
export interface Network {
  readonly rules: readonly NetworkRule[]
  readonly resolve: Resolve
}

export type Admission =
  /** Connect to one of these and to nothing else: a second look-up could answer otherwise. */
  | { readonly admitted: true, readonly addresses: readonly LookupAddress[] }
  /** `reason` in few words; `detail` names the host and the rule. */
  | { readonly admitted: false, readonly status: 403 | 502, readonly reason: string, readonly detail: string }

/** Decides on the name that was asked for, then on what it resolves to. */
export async function admit ({ rules, resolve }: Network, destination: Destination): Promise<Admission> {
  const shown = showDestination(destination)
  const rule = ruleFor(rules, destination)
  if (rule === undefined) {
    return refusal('not on the list', `${shown} is not on the list of destinations that commands on this server may connect to.\nThe list: ${rules.map(({ text }) => text).join(', ')}`)
  }
  const family = isIP(destination.host)
  let found: readonly LookupAddress[]
  try {
    found = family === 0 ? await resolve(destination.host) : [{ address: destination.host, family }]
  } catch {
    return { admitted: false, status: 502, reason: 'name not found', detail: `${shown} is allowed by the rule ${rule.text}, but its name cannot be resolved.` }
  }
  const addresses = found.filter(({ address }) => isPublicAddress(address) || namesAddress(rules, address, destination.port))
  if (addresses.length > 0) return { admitted: true, addresses }
  return refusal('no public address',
    `${shown} is covered by the rule ${rule.text}, but it leads to an address that is not public: of this host, of a private network or of a cloud's metadata.\n` +
    'Such an address is open only if the list names it literally, with its port.')
}

function refusal (reason: string, detail: string): Admission {
  return { admitted: false, status: 403, reason, detail }
}

/**
 * As the host resolves names, a few at once: each holds a thread of the pool that files are read with, until it ends. Who
 * asked waits `connectMs` for it, its turn included.
 */
export function hostResolver (slots: Slots, connectMs: number): Resolve {
  return async (host) => {
    const deadline = AbortSignal.timeout(connectMs)
    const slot = await slots.take(randomUUID(), deadline)
    return await new Promise((resolve, reject) => {
      deadline.addEventListener('abort', () => { reject(new Error('the name was not resolved in time')) }, { once: true })
      lookup(host, { all: true }, (error, addresses) => {
        slot.release()
        error === null ? resolve(addresses) : reject(error)
      })
    })
  }
}
