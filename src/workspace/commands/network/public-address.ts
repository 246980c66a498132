import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** Ranges of IPv4 that are not the public internet: IANA's special-purpose registry, multicast, what is reserved. */
const special4 = subnets('ipv4', [
  '0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24',
  '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'
])
/** All that is given out of IPv6; loopback, link-local, private, multicast, mapped and translated addresses lie outside. */
const global6 = subnets('ipv6', ['2000::/3'])
/** Within it: protocol assignments and Teredo, documentation, 6to4, which may carry any IPv4 address. */
const special6 = subnets('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])

/** Whether an address is one of the public internet: not of this host, of its networks, or of a cloud's metadata. */
export function isPublicAddress (address: string): boolean {
  if (address.includes('%')) return false // with a zone: link-local
  if (isIPv4(address)) return !special4.check(address)
  return isIPv6(address) && global6.check(address, 'ipv6') && !special6.check(address, 'ipv6')
}

function subnets (family: 'ipv4' | 'ipv6', ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [net = '', bits] = range.split('/')
    list.addSubnet(net, Number(bits), family)
  }
  return list
}
