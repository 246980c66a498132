import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { parseNetworkRule } from '../../src/workspace/commands/network/destination.ts'
import { CommandProxy, defaultProxyLimits, type ProxyLimits } from '../../src/workspace/commands/network/proxy.ts'

/** A proxy on a socket, as a sandbox has it. */
export async function startProxy (t: Test, rules: string[], limits: Partial<ProxyLimits> = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'ecluse-proxy-'))
  const path = join(directory, 'proxy')
  const proxy = new CommandProxy({ rules: rules.flatMap((text) => parseNetworkRule(text) ?? []), resolve: async () => { throw new Error('no names here') } }, { ...defaultProxyLimits, ...limits })
  await proxy.listen(path)
  t.teardown(async () => {
    await proxy.close()
    rmSync(directory, { recursive: true, force: true })
  })
  return { proxy, path }
}

/** Sends bytes as they are and reads to the end; `more` is sent after the first answer. */
export async function say (path: string, text: string, more?: string): Promise<string> {
  const socket: Socket = connect({ path, allowHalfOpen: true })
  let answer = ''
  let sent = more
  socket.write(text)
  socket.on('data', (bytes: Buffer) => {
    answer += bytes.toString('latin1')
    if (sent === undefined) return
    socket.end(sent)
    sent = undefined
  })
  await new Promise<void>((resolve) => { socket.on('error', () => {}).on('end', () => { socket.end() }).on('close', () => { resolve() }) })
  return answer
}
