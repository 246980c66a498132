import { test } from 'tap'
import { requestCodes, runCodes, toolCodes } from '../../src/protocol/error-codes.ts'

test('every code is snake_case', async (t) => {
  for (const code of [...Object.keys(requestCodes), ...Object.keys(runCodes), ...Object.keys(toolCodes)]) t.match(code, /^[a-z]+(_[a-z]+)*$/)
})

test('502 and 504 are nobody\'s: clients read them as "ask again with the same key"', async (t) => {
  for (const [code, { status }] of Object.entries(requestCodes)) t.notOk([502, 504].includes(status), code)
})
