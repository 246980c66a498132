/** `npm start`: whatever is missing is installed and built, then the server runs in this very process: signals reach it. */
import { ensure } from './ensure.mjs'

ensure('start')
await import(new URL('../dist/bundle/main.js', import.meta.url).href)
