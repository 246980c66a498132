import { mkdir } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Parts } from './app.ts'

/**
 * Opens what stands behind the HTTP edge, in the order in which each needs the one before; `close` goes the other way.
 * @throws Error when the data directory cannot be used
 */
export async function compose (config: Config, logger: Logger): Promise<Parts> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  logger.debug('composed')
  return {
    routes: () => {},
    start: async () => {},
    ready: async () => ({ ready: true, reason: null }),
    capabilities: [{ name: 'run_command', available: false, reason: 'not in this version' }],
    metrics: () => ({}),
    stop: async () => {},
    close: async () => {}
  }
}
