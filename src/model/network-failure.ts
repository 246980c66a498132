import { failure, type Failure } from './failure.ts'

/** An error of the connection, by when it came. `origin` names the far end without credentials. */
export function classifyNetworkError (error: unknown, answered: boolean, origin: string): Failure {
  const code = errorCode(error)
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || (code === 'ETIMEDOUT' && !answered)) {
    return failure('model_connect_timeout', `No connection to ${origin} in time`, true, error)
  }
  if (answered) return failure('model_incomplete', `The connection to ${origin} was cut in mid-answer (${code})`, true, error)
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) {
    return failure('model_connection', `The certificate or TLS of ${origin} is not usable (${code})`, false, error)
  }
  if (code === 'UND_ERR_INVALID_ARG') return failure('internal', `The request to ${origin} could not be made`, false, error)
  const reason = code === 'ECONNREFUSED' ? 'nothing listens there' : code === 'ENOTFOUND' ? 'the host name is unknown' : code
  return failure('model_connection', `The connection to ${origin} failed: ${reason}`, true, error)
}

function errorCode (error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  if ('code' in error && typeof error.code === 'string' && error.code !== '') return error.code
  // Several addresses of one host were tried.
  if (error instanceof AggregateError && error.errors.length > 0) return errorCode(error.errors[0])
  return error.cause === undefined ? error.name : errorCode(error.cause)
}
