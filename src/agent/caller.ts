/** What an API key may do; `admin` is everything. */
export const scopes = ['read', 'run', 'approve', 'admin'] as const
export type Scope = typeof scopes[number]

/** Who asks: made by authentication, carried into every command of the service. */
export interface Caller {
  /** Name of the key, with its team if it has one; null when authentication is off or the key has no name. */
  readonly name: string | null
  /** Which key it is, also among keys without a name; null when authentication is off. Never told to anybody. */
  readonly keyId: string | null
  readonly scopes: ReadonlySet<Scope>
}

/** A key `team/name` belongs to the team; sessions are seen inside their team only. */
export function teamOf (name: string | null): string | null {
  const slash = name?.indexOf('/') ?? -1
  return name === null || slash < 1 ? null : name.slice(0, slash)
}

export function may (caller: Caller, scope: Scope): boolean {
  return caller.scopes.has('admin') || caller.scopes.has(scope)
}
