import { parseArgs } from 'node:util'
import { demoWordDelayMs } from '../../limits.ts'
import { startDemoServer } from './server.ts'

try {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '4141' },
      host: { type: 'string', default: '127.0.0.1' },
      'word-delay': { type: 'string', default: String(demoWordDelayMs) },
      /** Ends with its standard input, so that it does not outlive who started it. */
      'until-stdin-ends': { type: 'boolean', default: false }
    }
  })
  const server = await startDemoServer({ port: Number(values.port), host: values.host, wordDelayMs: Number(values['word-delay']) })
  process.stdout.write(`${server.baseUrl}\n`)
  const stop = async (): Promise<void> => {
    process.stdin.destroy()
    await server.close()
  }
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, stop)
  if (values['until-stdin-ends']) process.stdin.once('end', stop).resume()
} catch (error) {
  process.stderr.write(`The demo model's server cannot start: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
