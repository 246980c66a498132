import type { Socket } from 'node:net'
import { connect } from 'node:net'
import Fastify from 'fastify'
import type { Test } from 'tap'
import { positionOf, readCursor } from '../../src/streams/cursor.ts'
import { EventStreams, type EventStreamsOptions, type OpenStream } from '../../src/streams/event-streams.ts'
import type { MemoryLog } from './memory-feed.ts'

export interface StreamServer { readonly port: number, readonly url: string, readonly streams: EventStreams, readonly opened: OpenStream[] }

/** A real server with one stream: `/events`, with `?after=`, `?run=` and `?ephemeral=0`. */
export async function startStreams (t: Test, log: MemoryLog, options: Partial<EventStreamsOptions> = {}): Promise<StreamServer> {
  const streams = new EventStreams({ heartbeatMs: 10_000, streamsMax: 100, ...options })
  const opened: OpenStream[] = []
  const app = Fastify({ forceCloseConnections: true })
  app.addHook('onRequest', async (_request, reply) => { reply.header('access-control-allow-origin', 'https://ui.example').header('vary', 'Origin') })
  app.get<{ Querystring: { after?: string, run?: string, ephemeral?: string } }>('/events', { exposeHeadRoute: false }, async (request, reply) => {
    const { after, run, ephemeral } = request.query
    const place = streams.reserve()
    const feed = log.openFeed()
    const position = positionOf(readCursor(request.headers['last-event-id']?.toString(), after), feed.publishedSeq())
    opened.push(streams.open(reply, place, feed, { position, runId: run ?? null, ephemeral: ephemeral !== '0' }))
    return reply
  })
  app.setErrorHandler(async (error: { status?: number, code?: string }, _request, reply) => await reply.code(error.status ?? 500).send({ code: error.code }))
  t.teardown(async () => { await app.close() })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return { port: Number(new URL(url).port), url, streams, opened }
}

/** A client that reads nothing until it is told to, and can be reset. */
export async function rawGet (t: Test, port: number, path: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' })
  t.teardown(() => socket.destroy())
  socket.on('error', () => {})
  await new Promise<void>((resolve) => { socket.once('connect', resolve) })
  socket.pause()
  socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`)
  return socket
}

export async function until (condition: () => boolean, timeoutMs = 5_000): Promise<void> {
  const end = Date.now() + timeoutMs
  while (!condition()) {
    if (Date.now() > end) throw new Error('it did not happen in time')
    await new Promise((resolve) => { setTimeout(resolve, 5) })
  }
}
