import { hash } from 'node:crypto'

/** JSON with sorted keys and no spaces: equal values have equal texts, whatever order they came in. Undefined members are left out. */
export function canonicalJson (value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  members.sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0)
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(',')}}`
}

/** SHA-256 in hex. */
export function sha256 (content: string | Uint8Array): string {
  return hash('sha256', content)
}

/** What an approval is bound to. */
export function planDigest (plan: { tool: string, arguments: unknown, effects: unknown, resolved?: unknown }): string {
  return sha256(canonicalJson({ tool: plan.tool, arguments: plan.arguments, effects: plan.effects, resolved: plan.resolved }))
}
