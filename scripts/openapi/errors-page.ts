import { requestCodes, runCodes, toolCodes } from '../../src/protocol/error-codes.ts'

const again = (canRetry: boolean) => (canRetry ? 'yes' : 'no')

/** `docs/errors.md`: every code, from the tables that the server itself uses. */
export function errorsPage (): string {
  const requests = Object.entries(requestCodes).sort(([, a], [, b]) => a.status - b.status)
    .map(([code, { status, canRetry, title }]) => `| <a id="${code}"></a>\`${code}\` | ${status} | ${title} | ${again(canRetry)} |`)
  const settled = (prefix: string, codes: Record<string, { canRetry: boolean, title: string }>) => Object.entries(codes)
    .map(([code, { canRetry, title }]) => `| <a id="${prefix}-${code}"></a>\`${code}\` | ${title} | ${again(canRetry)} |`)
  return [
    '# Codes',
    '',
    'This page is made from the tables in `src/protocol/error-codes.ts`. A code never changes its meaning: branch on `code`, show `detail` and `suggestion` to people.',
    '',
    '## Refused requests',
    '',
    'Every answer that is no success is `application/problem+json` (RFC 9457): `type`, `title`, `status`, `detail`, `code`, `canRetry`, `suggestion`, `requestId`, and `errors` with JSON pointers where the request is not valid. 502 and 504 are never sent, and 503 never describes a run: it says "send the request again", with the same `Idempotency-Key` if it was a POST.',
    '',
    '| code | status | meaning | worth trying again |',
    '| --- | --- | --- | --- |',
    ...requests,
    '',
    '## Failed runs',
    '',
    'In `run.error.code`, and in `error.code` of `run_end`.',
    '',
    '| code | meaning | worth trying again |',
    '| --- | --- | --- |',
    ...settled('run', runCodes),
    '',
    '## Failed tool calls',
    '',
    'In `error.code` of `tool_call_end`, and in what the model is told: `{error, code, canRetry, suggestion}`.',
    '',
    '| code | meaning | worth trying again |',
    '| --- | --- | --- |',
    ...settled('tool', toolCodes),
    ''
  ].join('\n')
}
