import process from 'node:process'
import { startServer, type Compose, type RunningServer } from './app.ts'
import { banner, type BannerFacts } from './banner.ts'
import { ConfigError, loadConfig, type Config } from './config.ts'
import type { Environment } from './config/read-values.ts'
import { createLogger } from './routes/edge/log.ts'
import { stderrDestination } from './stderr.ts'

const exitCodes = { failed: 1, misconfigured: 2 } as const
/** Under `npm start` one Ctrl+C arrives twice: from the terminal, and passed on by npm. */
const sameSignalMs = 100

/** The process: configuration, server, banner, signals. Exits by itself when one of them fails. */
export async function serve (compose: Compose, environment: Environment): Promise<void> {
  await run(compose, environment).catch(fail)
}

async function run (compose: Compose, environment: Environment): Promise<void> {
  const config = loadConfig(environment, process.cwd())
  const logger = createLogger(config.logLevel, stderrDestination())
  const server = await startServer(config, logger, compose, (error) => {
    logger.fatal({ err: error }, 'the server cannot go on')
    process.exit(exitCodes.failed) // what was acknowledged is stored; the next start carries on
  })

  let stoppingSince: number | null = null
  const onSignal = (signal: NodeJS.Signals) => {
    if (stoppingSince !== null) {
      if (performance.now() - stoppingSince < sameSignalMs) return
      process.exit(exitCodes.failed) // somebody does not want to wait
    }
    stoppingSince = performance.now()
    logger.info({ signal }, 'stopping')
    const overdue = setTimeout(() => {
      logger.error('not stopped in time')
      process.exit(exitCodes.failed)
    }, config.shutdownTimeoutMs)
    server.stop().then(() => {
      clearTimeout(overdue)
      logger.info('stopped')
      process.exit(0)
    }, (error: unknown) => {
      logger.fatal({ err: error }, 'failed to stop')
      process.exit(exitCodes.failed)
    })
  }
  // Under a limit on the size of files a write that is too long is refused like one on a full disk, not the end of the process.
  process.on('SIGXFSZ', () => {})
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  // Last: whoever reads it may send a signal at once.
  process.stdout.write(`${banner(bannerFacts(config, server))}\n`)
}

function bannerFacts (config: Config, { version, url, madeKey, capabilities }: RunningServer): BannerFacts {
  const key = madeKey !== null
    ? { from: 'file', file: madeKey.file, fresh: process.stdout.isTTY ? madeKey.fresh : null } as const
    : { from: config.auth === 'off' ? 'off' : 'configuration' } as const
  return { version, url, dataDir: config.dataDir, model: config.model.defaultName, capabilities, notes: config.notes, key }
}

function fail (error: unknown): never {
  if (error instanceof ConfigError) {
    process.stderr.write(`${error.message}\n`)
    process.exit(exitCodes.misconfigured)
  }
  // What the system refused (an address in use, a directory) needs no stack.
  const text = error instanceof Error ? ('code' in error ? error.message : error.stack) : String(error)
  process.stderr.write(`The server did not start: ${text}\n`)
  process.exit(exitCodes.failed)
}
