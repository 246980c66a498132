const named = ['path', 'from', 'command', 'pattern', 'query', 'url'] as const

/** What a call is about, for a line: its path, its command. */
export function targetOf (args: Record<string, unknown>): string {
  for (const name of named) {
    const value = args[name]
    if (typeof value !== 'string') continue
    return name === 'from' && typeof args['to'] === 'string' ? `${value} → ${args['to']}` : value
  }
  return ''
}
