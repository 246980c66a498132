import { ToolFailure } from '../../src/errors.ts'

/** The code that a call fails with; null when it does not fail. */
export async function failureOf (action: () => unknown): Promise<string | null> {
  return (await toolFailureOf(action))?.code ?? null
}

export async function toolFailureOf (action: () => unknown): Promise<ToolFailure | null> {
  try {
    await action()
    return null
  } catch (error) {
    if (error instanceof ToolFailure) return error
    throw error
  }
}
