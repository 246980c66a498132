import process from 'node:process'
import { compose } from '../../src/compose.ts'
import { serve } from '../../src/serve.ts'
import { crashHooks } from './crash-hooks.ts'

/**
 * The server as it is, but for `CRASH_AT=<point>[:n]`: it is killed without warning when it passes that point for the n-th
 * time. With `CRASH_IF=<path>` only passes count while that path is there.
 */
const hooks = crashHooks(process.env['CRASH_AT'], process.env['CRASH_IF'])
await serve((config, logger, onFatal) => compose(config, logger, onFatal, hooks), process.env)
