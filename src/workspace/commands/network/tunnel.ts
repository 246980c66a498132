import { pipeline, type Duplex } from 'node:stream'
import { connectTo, type Refused, type Way } from './connect.ts'

const pipelineListeners = 20 // two pipelines on one socket listen more often than Node finds usual

/** Joins a client that said CONNECT to its destination: bytes both ways, each end closed as the other closes it. */
export function tunnel ({ client, head, refuse, ...way }: Way & { readonly client: Duplex, readonly head: Buffer, refuse (refused: Refused): void }): void {
  const upstream = connectTo(way, (socket) => {
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    if (head.length > 0) {
      way.traffic.count(head.length)
      socket.write(head)
    }
    for (const end of [client, socket]) end.setMaxListeners(pipelineListeners)
    for (const [from, to] of [[client, socket], [socket, client]] as const) {
      from.on('data', (bytes: Buffer) => { way.traffic.count(bytes.length) })
      pipeline(from, to, () => {}) // one that breaks off takes the other with it
    }
  }, refuse)
  client.on('close', () => { upstream.destroy() })
}
