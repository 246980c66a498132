import type { FastifyInstance } from 'fastify'

/**
 * Collects the routes that are registered from now on.
 * @returns the methods that a path (percent-encoded, without query) answers to; empty: nothing is there
 */
export function collectMethods (app: FastifyInstance): (path: string) => string[] {
  const routes: Array<{ pattern: RegExp, method: string }> = []
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = new RegExp(`^${url.split(/(:[A-Za-z]+|\*)/).map(partPattern).join('')}$`)
    for (const one of [method].flat()) routes.push({ pattern, method: one })
  })
  return (path) => [...new Set(routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))].sort()
}

function partPattern (part: string): string {
  if (part.startsWith(':')) return '[^/]+'
  return part === '*' ? '.*' : part.replace(/[.\\+?^${}()|[\]]/g, '\\$&')
}
