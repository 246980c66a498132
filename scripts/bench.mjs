/** `npm run bench [-- --quick]`: the figures of the server beside two floors; needs Linux. */
import { ensure } from './ensure.mjs'

ensure('test')
await import(new URL('../build/bench/bench.js', import.meta.url).href)
