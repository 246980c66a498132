import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const api = 'http://127.0.0.1:3000'
const routes = ['/sessions', '/approvals', '/events', '/tools', '/models', '/health', '/ready', '/docs', '/openapi.yaml', '/openapi.json']

/** Leaves each file compressed beside it: the server sends what the browser takes, and compresses nothing itself. */
function compressed (): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    writeBundle: ({ dir = '' }) => {
      const assets = path.join(dir, 'assets')
      for (const name of readdirSync(assets)) {
        const content = readFileSync(path.join(assets, name))
        writeFileSync(path.join(assets, `${name}.br`), brotliCompressSync(content))
        writeFileSync(path.join(assets, `${name}.gz`), gzipSync(content))
      }
    }
  }
}

/** Relative links: the page also works below a path of a proxy. Files are never inlined: the page's policy forbids it. */
export default defineConfig({
  base: './',
  plugins: [react(), compressed()],
  build: { outDir: '../dist/web', emptyOutDir: true, assetsInlineLimit: 0, modulePreload: { polyfill: false }, target: 'es2022', chunkSizeWarningLimit: 600 },
  server: { proxy: Object.fromEntries(routes.map((route) => [route, { target: api }])) }
})
