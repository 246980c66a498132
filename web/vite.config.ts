import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const api = 'http://127.0.0.1:3000'
const routes = ['/sessions', '/approvals', '/events', '/tools', '/models', '/health', '/ready', '/docs', '/openapi.yaml', '/openapi.json']

/** Relative links: the page also works below a path of a proxy. Files are never inlined: the page's policy forbids it. */
export default defineConfig({
  base: './',
  plugins: [react()],
  build: { outDir: '../dist/web', emptyOutDir: true, assetsInlineLimit: 0, modulePreload: { polyfill: false }, target: 'es2022' },
  server: { proxy: Object.fromEntries(routes.map((route) => [route, { target: api }])) }
})
