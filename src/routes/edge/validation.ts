import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv'
import ajvFormats from 'ajv-formats'
import { validationErrorsMax } from '../../limits.ts'

export interface PointedError { readonly pointer: string, readonly detail: string }

function createAjv (options: Options): Ajv {
  const ajv = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true, ...options })
  ajvFormats.default(ajv)
  return ajv
}

/** The check of one part of a route's requests, as Fastify calls it. */
interface Validator { (data: unknown): boolean, errors: ErrorObject[] | null }

/**
 * Bodies are taken as they are: nothing is coerced, nothing unknown is dropped. Query, path and headers are text on
 * the wire, so there `5` counts as a number and defaults are filled in.
 *
 * A schema is compiled when the first request needs it: all at once they are the larger part of a start.
 */
function validatorCompiler () {
  const strict = once(() => createAjv({ coerceTypes: false, removeAdditional: false }))
  const lax = once(() => createAjv({ coerceTypes: 'array', removeAdditional: false, useDefaults: true }))
  return ({ schema, httpPart }: { schema: unknown, httpPart?: string }): Validator => {
    let compiled: ValidateFunction | null = null
    const validate = (data: unknown): boolean => {
      compiled ??= (httpPart === 'body' ? strict : lax)().compile(schema as object) // a route's schemas are objects
      const valid = compiled(data)
      validate.errors = compiled.errors ?? null
      return valid
    }
    validate.errors = null as ErrorObject[] | null // else the compiler takes null for its type
    return validate
  }
}

function once<T> (make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => (made ??= { value: make() }).value
}

/** Instead of Fastify's own, which are then not even loaded. */
export const schemaController = {
  compilersFactory: {
    buildValidator: () => validatorCompiler() as never, // typed as Ajv's own functions; what is called of them is here
    // Answers are made by our own code from typed values; compiling a serializer for each would slow the start.
    buildSerializer: () => () => (data: unknown) => JSON.stringify(data)
  }
}

/** What to tell of Ajv's errors: one line a place, the noise of unions left out. Pointers are RFC 6901. */
export function pointedErrors (errors: readonly ErrorObject[]): PointedError[] {
  const told = new Map<string, PointedError>()
  for (const error of errors) {
    const pointed = { pointer: pointerOf(error), detail: detailOf(error, errors) }
    if (isUnionNoise(error, errors) || told.has(pointed.pointer)) continue
    told.set(pointed.pointer, pointed)
    if (told.size === validationErrorsMax) break
  }
  return [...told.values()]
}

const isUnion = (error: ErrorObject) => error.keyword === 'anyOf' || error.keyword === 'oneOf'

/** Below a union every branch complains: keep those that went deeper than the union's place, else the union itself. */
function isUnionNoise (error: ErrorObject, all: readonly ErrorObject[]): boolean {
  if (isUnion(error)) return all.some((other) => other.schemaPath.startsWith(`${error.schemaPath}/`) && isDeeper(other, error))
  return all.some((union) => isUnion(union) && error.schemaPath.startsWith(`${union.schemaPath}/`) && !isDeeper(error, union))
}

function isDeeper (error: ErrorObject, than: ErrorObject): boolean {
  return pointerOf(error).length > than.instancePath.length
}

function pointerOf (error: ErrorObject): string {
  const name: unknown = error.params['missingProperty'] ?? error.params['additionalProperty'] ?? error.params['propertyName']
  return typeof name === 'string' ? `${error.instancePath}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}` : error.instancePath
}

function detailOf (error: ErrorObject, all: readonly ErrorObject[]): string {
  switch (error.keyword) {
    case 'required': return 'is required'
    case 'additionalProperties': return 'is not known here'
    case 'const': return `must be ${JSON.stringify(error.params['allowedValue'])}`
    case 'anyOf':
    case 'oneOf': {
      const branches = all.filter((other) => other.schemaPath.startsWith(`${error.schemaPath}/`) && other.instancePath === error.instancePath)
      // A branch whose type is right says what is wrong.
      const near = branches.find((branch) => branch.keyword !== 'type' && branch.keyword !== 'const' && !isUnion(branch))
      if (near !== undefined) return detailOf(near, all)
      const values = branches.filter((branch) => branch.keyword === 'const').map((branch) => JSON.stringify(branch.params['allowedValue']))
      const types = branches.filter((branch) => branch.keyword === 'type').map((branch) => String(branch.params['type']))
      return values.length > 0 ? `must be one of ${values.join(', ')}` : types.length > 0 ? `must be ${[...new Set(types)].join(' or ')}` : 'fits none of the allowed shapes'
    }
    default: return error.message ?? 'is not valid'
  }
}
