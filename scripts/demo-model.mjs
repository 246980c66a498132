/** `npm run demo-model -- --port 4141`: the demo model as an OpenAI-compatible server, for any client to try. */
import { ensure } from './ensure.mjs'

ensure('start')
await import(new URL('../dist/model/demo/main.js', import.meta.url).href)
