import process from 'node:process'
import { setFlagsFromString } from 'node:v8'

// Most of what a start makes dies at once. The heap's young generation would grow for it and stay so large: it grows
// when there is work.
setFlagsFromString('--semi-space-growth-factor=1')
const [{ compose }, { serve }] = await Promise.all([import('./compose.ts'), import('./serve.ts')])
await serve(compose, process.env)
setFlagsFromString('--semi-space-growth-factor=2')
