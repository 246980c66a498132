/** `npm run demo-model`: the demo model as a server of its own, in the dialect of the real ones. */
import { ensure } from './ensure.mjs'

ensure('start')
await import(new URL('../dist/model/demo/main.js', import.meta.url).href)
