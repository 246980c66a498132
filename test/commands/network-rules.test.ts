import { test } from 'tap'
import { admit, type Network } from '../../src/workspace/commands/network/admit.ts'
import { namesAddress, parseDestination, parseNetworkRule, ruleFor, showDestination } from '../../src/workspace/commands/network/destination.ts'
import { isPublicAddress } from '../../src/workspace/commands/network/public-address.ts'

const rulesOf = (...texts: string[]) => texts.flatMap((text) => parseNetworkRule(text) ?? [])

function covers (rule: string, asked: string): boolean {
  const destination = parseDestination(asked)
  return destination !== null && ruleFor(rulesOf(rule), destination) !== undefined
}

test('networkPortsDefault: a rule covers the host that it names, on its port or on 443 and 80', (t) => {
  const table: Array<[rule: string, covered: string[], not: string[]]> = [
    ['registry.npmjs.org', ['registry.npmjs.org:443', 'registry.npmjs.org:80', 'REGISTRY.npmjs.org.:443'], ['registry.npmjs.org:22', 'npmjs.org:443', 'a.registry.npmjs.org:443', 'registry.npmjs.org.evil.example:443', 'xregistry.npmjs.org:443']],
    ['*.debian.org:443', ['deb.debian.org:443', 'a.b.debian.org:443'], ['deb.debian.org:80', 'debian.org:443', 'evildebian.org:443', 'debian.org.evil.example:443']],
    ['*', ['example.com:443', '192.0.2.1:80', '[2001:db8::1]:80'], ['example.com:8080']],
    ['*:8080', ['example.com:8080'], ['example.com:443']],
    ['Example.COM', ['example.com:443'], []],
    ['bücher.example', ['xn--bcher-kva.example:443', 'BÜCHER.example:443'], []],
    ['127.0.0.1:9', ['127.0.0.1:9', '0x7f.1:9', '2130706433:9', '127.1:9'], ['127.0.0.2:9', 'localhost:9']],
    ['[::1]:9', ['[::1]:9', '[0:0:0:0:0:0:0:1]:9'], ['[::2]:9', '[::ffff:127.0.0.1]:9']]
  ]
  for (const [rule, covered, not] of table) {
    for (const asked of covered) t.ok(covers(rule, asked), `${rule} covers ${asked}`)
    for (const asked of not) t.notOk(covers(rule, asked), `${rule} does not cover ${asked}`)
  }
  t.end()
})

test('what is no destination is no rule', (t) => {
  for (const text of ['', ' ', 'a b', 'https://a.example', 'a.example/x', 'a.example:0', 'a.example:65536', 'a.example:x', 'a:b:c', '::1', 'a.*.example', '*a.example', '**', '*.', '*.127.0.0.1', 'user@a.example', 'a.example?', 'a.example#', 'a%2eexample', 'a,b.example', '[::1', '1.2.3.4.5:9', '999.1.1.1']) {
    t.equal(parseNetworkRule(text), null, JSON.stringify(text))
  }
  for (const asked of ['a.example', 'a.example:', ':443', 'a.example:443/x', 'a@b:443', 'a b:443', '[::1]', 'a.example:99999', 'a\r\nb:443', 'a..b:443']) t.equal(parseDestination(asked), null, JSON.stringify(asked))
  t.equal(showDestination({ host: '::1', port: 9 }), '[::1]:9')
  t.end()
})

test('only addresses of the public internet are public', (t) => {
  const not = ['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.255.255.255', '169.254.169.254', '172.16.0.1', '172.31.255.255', '192.0.0.1', '192.0.2.1', '192.168.1.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255',
    '::', '::1', '::ffff:8.8.8.8', '::ffff:127.0.0.1', '::8.8.8.8', '64:ff9b::808:808', '64:ff9b:1::1', '100::1', 'fc00::1', 'fd00:ec2::254', 'fe80::1', 'fe80::1%lo', '2606:4700::1111%eth0', 'fec0::1', 'ff02::1', '2001::1', '2001:db8::1', '2002:7f00:1::', '3fff::1', '5f00::1', 'nothing', '']
  for (const address of not) t.notOk(isPublicAddress(address), address)
  for (const address of ['1.1.1.1', '8.8.8.8', '172.15.0.1', '172.32.0.1', '100.63.0.1', '100.128.0.1', '192.167.0.1', '223.255.255.255', '2606:4700::1111', '2a00:1450::1', '2001:4860::8888']) t.ok(isPublicAddress(address), address)
  t.end()
})

test('a name is resolved once, and only what was checked is connected to', async (t) => {
  const answers = [[{ address: '93.184.215.14', family: 4 }, { address: '127.0.0.1', family: 4 }], [{ address: '127.0.0.1', family: 4 }]]
  let asked = 0
  const network: Network = { rules: rulesOf('rebind.example'), resolve: async () => answers[asked++] ?? [] }
  const destination = { host: 'rebind.example', port: 443 }
  t.same(await admit(network, destination), { admitted: true, addresses: [{ address: '93.184.215.14', family: 4 }] })
  t.equal(asked, 1)
  t.match(await admit(network, destination), { admitted: false, status: 403, reason: 'no public address' })
})

test('a name that is not on the list is not even resolved: a look-up carries data out too', async (t) => {
  const network: Network = { rules: rulesOf('a.example'), resolve: async () => { throw new Error('resolved') } }
  t.match(await admit(network, { host: 'secret.evil.example', port: 443 }), { admitted: false, status: 403, reason: 'not on the list', detail: /^secret\.evil\.example:443 is not on the list[^]*a\.example/ })
  t.match(await admit(network, { host: 'a.example', port: 443 }), { admitted: false, status: 502, reason: 'name not found' })
})

test('an address that is not public is open where the list names it with its port, also for a name that leads there', async (t) => {
  const rules = rulesOf('nexus.corp', '10.0.0.5')
  const network: Network = { rules, resolve: async () => [{ address: '10.0.0.5', family: 4 }] }
  t.match(await admit(network, { host: 'nexus.corp', port: 443 }), { admitted: true })
  t.match(await admit(network, { host: '10.0.0.5', port: 443 }), { admitted: true })
  t.match(await admit({ ...network, rules: rulesOf('nexus.corp', '10.0.0.5:8443', '10.0.0.6') }, { host: 'nexus.corp', port: 443 }), { admitted: false, status: 403 })
  t.notOk(namesAddress(rulesOf('*'), '10.0.0.5', 443), 'a star names no address')
})
