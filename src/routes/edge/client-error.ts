import type { Socket } from 'node:net'
import { AgentError } from '../../errors.ts'
import { problemOf, problemType } from './problem.ts'
import { baseHeaders, newRequestId } from './request-id.ts'

/**
 * Answers what never became a request: malformed HTTP, headers that are too large, and requests that came too
 * slowly. The socket is closed after it.
 */
export function answerClientError (error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const refusal = refusalOfClientError(error.code)
  const problem = problemOf(refusal, newRequestId())
  const body = JSON.stringify(problem)
  const headers = { ...baseHeaders, 'x-request-id': problem.requestId, 'content-type': problemType, 'content-length': Buffer.byteLength(body), connection: 'close' }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.end(`HTTP/1.1 ${refusal.status} ${problem.title}\r\n${head}\r\n${body}`, () => { socket.destroy() })
}

function refusalOfClientError (code: string | undefined): AgentError {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT': return new AgentError('request_timeout', 'The request did not arrive in time.')
    case 'HPE_HEADER_OVERFLOW': return new AgentError('headers_too_large', 'The headers are larger than the server takes.')
    default: return new AgentError('invalid_request', 'The request is not valid HTTP.')
  }
}
