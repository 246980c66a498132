import type { Approval, Problem } from './types.ts'

/** The server said no, or could not be reached (`status` 0). */
export class Refused extends Error {
  readonly status: number
  readonly code: string
  readonly suggestion: string | null
  /** The approval as it is now, where the refusal is about one. */
  readonly approval: Approval | null

  constructor (status: number, problem: (Partial<Problem> & { approval?: Approval }) | undefined) {
    super(problem?.detail ?? problem?.title ?? `HTTP ${status}`)
    this.status = status
    this.code = problem?.code ?? 'unknown'
    this.suggestion = problem?.suggestion ?? null
    this.approval = problem?.approval ?? null
  }
}

export function unreachable (cause: unknown): Refused {
  const refused = new Refused(0, { detail: cause instanceof Error ? cause.message : String(cause), code: 'unreachable' })
  return refused
}
