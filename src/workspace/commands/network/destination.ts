import { isIP } from 'node:net'
import { networkPortsDefault } from '../../../limits.ts'

/** One entry of the operator's list of destinations: a name, `*.` and a name, `*`, or a literal address, with a port or without. */
export interface NetworkRule {
  /** As the operator wrote it. */
  readonly text: string
  /** Canonical; null: every host. */
  readonly host: string | null
  /** Only what stands below `host`. */
  readonly below: boolean
  readonly ports: readonly number[]
}

/** What a command asked for. */
export interface Destination {
  /** Canonical: a name in lower case or Punycode, or a literal address without brackets. */
  readonly host: string
  readonly port: number
}

const rulePattern = /^(\*|(\*\.)?([^\s*:[\]]+|\[[^\s[\]]+\]))(?::(\d{1,5}))?$/

/** What a rule may be, in words. */
export const networkRuleForm = 'a host name, "*." and a name for all below it, "*" for every public host, or a literal address ("[::1]" for IPv6), each with ":port" or for ports 443 and 80'

/** Null: it is none. */
export function parseNetworkRule (text: string): NetworkRule | null {
  const [, host = '', below, name = '', port] = rulePattern.exec(text) ?? []
  const ports = port === undefined ? networkPortsDefault : portOf(port) === null ? [] : [Number(port)]
  if (ports.length === 0) return null
  if (host === '*') return { text, host: null, below: false, ports }
  const canonical = canonicalHost(name)
  if (canonical === null || (below !== undefined && isIP(canonical) !== 0)) return null
  return { text, host: canonical, below: below !== undefined, ports }
}

/** Of `host:port`, as in a CONNECT. Null: it is none. */
export function parseDestination (authority: string): Destination | null {
  const [, name = '', digits = ''] = /^(.+):(\d{1,5})$/.exec(authority) ?? []
  const [host, port] = [canonicalHost(name), portOf(digits)]
  return host === null || port === null ? null : { host, port }
}

/** As people write it. */
export function showDestination ({ host, port }: Destination): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`
}

/** The first rule that covers what was asked for. */
export function ruleFor (rules: readonly NetworkRule[], { host, port }: Destination): NetworkRule | undefined {
  return rules.find((rule) => rule.ports.includes(port) && coversHost(rule, host))
}

/** Whether the list names this very address, which is what opens one that is not public. */
export function namesAddress (rules: readonly NetworkRule[], address: string, port: number): boolean {
  return rules.some((rule) => rule.host === address && rule.ports.includes(port))
}

function coversHost (rule: NetworkRule, host: string): boolean {
  if (rule.host === null) return true
  return rule.below ? host.endsWith(`.${rule.host}`) && isIP(host) === 0 : host === rule.host
}

/**
 * One spelling for each host, by the rules of URLs: `0x7f.1` and `2130706433` are 127.0.0.1, `EXAMPLE.com.` is example.com.
 * Otherwise what is compared would not be what is connected to.
 */
function canonicalHost (text: string): string | null {
  if (!/^(\[[0-9A-Fa-f:.]+\]|[^\s/?#@\\:[\]%]+)$/.test(text) || !URL.canParse(`http://${text}/`)) return null
  const host = new URL(`http://${text}/`).hostname.replace(/\.$/, '')
  if (host.startsWith('[')) return host.slice(1, -1)
  return /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(host) ? host : null
}

function portOf (digits: string): number | null {
  const port = Number(digits)
  return port >= 1 && port <= 65_535 ? port : null
}
