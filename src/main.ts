import process from 'node:process'
import { compose } from './compose.ts'
import { serve } from './serve.ts'

await serve(compose, process.env)
