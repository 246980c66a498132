import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { allowedValues, variables, type Values, type Variable } from './variables.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Takes the variables of the table out of the environment. An empty value counts as not set; a faulty one is left at
 * its default, so that what depends on it can be checked too.
 * @returns every fault, one line each: the variable, what is wrong, what is allowed; never the value of a secret
 */
export function readValues (environment: Environment): { values: Values, faults: string[] } {
  const faults: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, variable] of Object.entries<Variable>(variables)) {
    const given = environment[name]?.trim() ?? ''
    values[name] = variable.fallback === null ? null : convert(variable.schema, variable.fallback)
    if (given === '') continue
    const value = convert(variable.schema, given)
    if (Value.Check(variable.schema, value)) values[name] = value
    else faults.push(`${name}: ${variable.secret ? 'the value' : JSON.stringify(given)} is not allowed; allowed: ${allowedValues(variable.schema)}`)
  }
  return { values: values as Values, faults } // each was checked against the schema that its type comes from
}

/** Only plain digits are a number: `3.5`, `1e3` and `0x10` stay text, which the schema then refuses. */
function convert (schema: TSchema, text: string): string | number {
  return schema['type'] === 'integer' && /^-?\d+$/.test(text) ? Number(text) : text
}
