import { test } from 'tap'
import { negotiate } from '../../src/routes/accept.ts'

const offers = ['application/json', 'text/plain', 'text/event-stream'] as const

const table: Array<[accept: string | undefined, form: typeof offers[number] | null]> = [
  [undefined, 'application/json'],
  ['', 'application/json'],
  ['*/*', 'application/json'],
  ['application/json', 'application/json'],
  ['application/*', 'application/json'],
  ['text/event-stream', 'text/event-stream'],
  ['Text/Event-Stream; charset=utf-8', 'text/event-stream'],
  ['text/plain', 'text/plain'],
  ['text/*', 'text/plain'],
  ['application/json, text/plain, */*', 'application/json'],
  ['text/plain, text/event-stream, application/json', 'application/json'],
  ['text/event-stream, */*', 'application/json'],
  ['text/event-stream, */*;q=0.1', 'text/event-stream'],
  ['application/json;q=0.5, text/plain;q=0.9', 'text/plain'],
  ['application/json;q=0.5, text/event-stream ; q=0.8', 'text/event-stream'],
  ['application/json;q=0, */*', 'text/plain'],
  ['application/json;q=0, text/plain;q=0, */*;q=0.1', 'text/event-stream'],
  ['text/*;q=0, application/*;q=0.1', 'application/json'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/json'],
  ['text/html', null],
  ['application/problem+json', null],
  ['*/*;q=0', null],
  ['application/json;q=0', null],
  ['rubbish', 'application/json'],
  ['application/json;q=rubbish', 'application/json']
]

for (const [accept, form] of table) {
  test(`Accept: ${accept ?? '(none)'} is answered with ${form ?? '406'}`, async (t) => {
    t.equal(negotiate(accept, offers), form)
  })
}
