import { test } from 'tap'
import { DemoModel } from '../../src/model/demo/demo-model.ts'
import { parseRequest } from '../../src/model/demo/parse-request.ts'
import { callModel, joined } from './call-model.ts'
import { Conversation } from './demo-conversation.ts'

const model = new DemoModel({ wordDelayMs: 0 })

test('a request of several steps is done one call after the other', async (t) => {
  const talk = new Conversation(model, ({ tool }) => tool === 'read_file' ? 'buy milk\n' : tool === 'list_dir' ? 'hello.txt\nnotes.txt' : 'written')
  const texts = await talk.say('read notes.txt, then write hello.txt with "Hello" then list .')
  t.strictSame(talk.calls, [
    { tool: 'read_file', arguments: { path: 'notes.txt' } },
    { tool: 'write_file', arguments: { path: 'hello.txt', content: 'Hello' } },
    { tool: 'list_dir', arguments: { path: '.' } }
  ])
  t.match(texts[0], /Demo model.*Step 1 of 3: I will read notes\.txt\./s)
  t.match(texts[1], /buy milk.*Step 2 of 3/s)
  t.match(texts[2], /hello\.txt is written/)
  t.match(texts[3], /hello\.txt\nnotes\.txt.*All 3 steps are done\./s)
})

test('the same in French', async (t) => {
  const talk = new Conversation(model, ({ tool }) => tool === 'read_file' ? 'acheter du lait' : 'fait')
  const texts = await talk.say('Lis notes.txt, puis écris bonjour.txt avec « Bonjour à tous » ensuite liste')
  t.strictSame(talk.calls, [
    { tool: 'read_file', arguments: { path: 'notes.txt' } },
    { tool: 'write_file', arguments: { path: 'bonjour.txt', content: 'Bonjour à tous' } },
    { tool: 'list_dir', arguments: { path: '.' } }
  ])
  t.match(texts[0], /modèle de démonstration.*Étape 1 sur 3/s)
  t.match(texts[1], /acheter du lait/)
  t.match(texts[3], /Les 3 étapes sont faites\./)
})

const understood: Array<[message: string, tool: string, args: object]> = [
  ['read src/a.ts', 'read_file', { path: 'src/a.ts' }],
  ['Please show me the file notes.txt.', 'read_file', { path: 'notes.txt' }],
  ['read "my notes.txt"', 'read_file', { path: 'my notes.txt' }],
  ['Hello! Read notes.txt', 'read_file', { path: 'notes.txt' }],
  ['Montre-moi le fichier notes.txt', 'read_file', { path: 'notes.txt' }],
  ['s\'il te plaît, lis l\'été.txt', 'read_file', { path: 'été.txt' }],
  ['write "a, then b; puis c" to x.txt', 'write_file', { path: 'x.txt', content: 'a, then b; puis c' }],
  ['create a file x.txt containing \'it is\'', 'write_file', { path: 'x.txt', content: 'it is' }],
  ['write x.txt: "two\nlines\n"', 'write_file', { path: 'x.txt', content: 'two\nlines\n' }],
  ['write x.txt with the text ""', 'write_file', { path: 'x.txt', content: '' }],
  ['write x.txt with Hello you', 'write_file', { path: 'x.txt', content: 'Hello you' }],
  ['écris “Salut” dans le fichier x.txt', 'write_file', { path: 'x.txt', content: 'Salut' }],
  ['Crée un nouveau fichier x.txt contenant "Salut"', 'write_file', { path: 'x.txt', content: 'Salut' }],
  ['replace "a b" with "c" in x.txt', 'edit_file', { path: 'x.txt', edits: [{ oldText: 'a b', newText: 'c' }] }],
  ['In x.txt, change all foo to bar', 'edit_file', { path: 'x.txt', edits: [{ oldText: 'foo', newText: 'bar', replaceAll: true }] }],
  ['remplace « a b » par « c » dans x.txt', 'edit_file', { path: 'x.txt', edits: [{ oldText: 'a b', newText: 'c' }] }],
  ['list', 'list_dir', { path: '.' }],
  ['list the files in src', 'list_dir', { path: 'src' }],
  ['liste les fichiers de src', 'list_dir', { path: 'src' }],
  ['list ..', 'list_dir', { path: '..' }],
  ['move a.txt to b/c.txt', 'move_file', { from: 'a.txt', to: 'b/c.txt' }],
  ['rename the file a.txt to b.txt', 'move_file', { from: 'a.txt', to: 'b.txt' }],
  ['déplace a.txt vers b.txt', 'move_file', { from: 'a.txt', to: 'b.txt' }],
  ['renomme a.txt en b.txt', 'move_file', { from: 'a.txt', to: 'b.txt' }],
  ['delete a.txt', 'delete_file', { path: 'a.txt' }],
  ['delete the folder old', 'delete_file', { path: 'old', recursive: true }],
  ['supprime a.txt', 'delete_file', { path: 'a.txt' }],
  ['supprime le dossier vieux', 'delete_file', { path: 'vieux', recursive: true }],
  ['run "ls -l | wc -l; echo then"', 'run_command', { command: 'ls -l | wc -l; echo then' }],
  ['exécute `npm test`', 'run_command', { command: 'npm test' }],
  ['read a.txt\n\nNote: today is Monday.', 'read_file', { path: 'a.txt' }],
  ['read a.txt\n\n<environment>\nDate: 2026-01-01, then list\n</environment>', 'read_file', { path: 'a.txt' }]
]

for (const [message, tool, args] of understood) {
  test(`it understands: ${JSON.stringify(message)}`, async (t) => {
    const talk = new Conversation(model)
    await talk.say(message)
    t.strictSame(talk.calls, [{ tool, arguments: args }])
  })
}

test('steps may also stand on lines of their own', async (t) => {
  const talk = new Conversation(model)
  await talk.say('read a.txt\nmove a.txt to b.txt\nand then delete b.txt; list')
  t.strictSame(talk.calls.map(({ tool }) => tool), ['read_file', 'move_file', 'delete_file', 'list_dir'])
})

test('a denied call ends the work, and it says so', async (t) => {
  const talk = new Conversation(model, ({ tool }) => tool === 'delete_file' ? { error: 'A person denied the call: not that one.', code: 'denied' } : 'done')
  const texts = await talk.say('read b.txt then delete a.txt then list')
  t.strictSame(talk.calls.map(({ tool }) => tool), ['read_file', 'delete_file'])
  t.match(texts.at(-1), /not allowed to delete a\.txt \(A person denied the call: not that one\).*one step is left undone/)
  const french = await new Conversation(model, () => ({ error: 'Non.', code: 'denied_by_policy' })).say('supprime a.txt')
  t.match(french.at(-1), /pas permis de supprimer a\.txt \(Non\)/)
})

test('after an error it goes on with what does not depend on it', async (t) => {
  const failing = ({ tool }: { tool: string }) => tool === 'read_file' ? { error: 'There is no x.txt.', code: 'not_found', suggestion: 'Did you mean y.txt?' } : 'done'
  const on = new Conversation(model, failing)
  const texts = await on.say('read x.txt, then list')
  t.strictSame(on.calls.map(({ tool }) => tool), ['read_file', 'list_dir'])
  t.match(texts[1], /There is no x\.txt\. Did you mean y\.txt\? I go on/)
  t.match(texts.at(-1), /1 of 2 steps are done/)
  const stopped = new Conversation(model, failing)
  const said = await stopped.say('read x.txt, then delete x.txt')
  t.strictSame(stopped.calls.map(({ tool }) => tool), ['read_file'])
  t.match(said.at(-1), /could not read x\.txt.*I stop here/)
})

test('each message is a task of its own', async (t) => {
  const talk = new Conversation(model)
  await talk.say('read a.txt')
  const texts = await talk.say('read b.txt')
  t.strictSame(talk.calls.map(({ arguments: args }) => args['path']), ['a.txt', 'b.txt'])
  t.notMatch(texts[0], /Demo model here/, 'it introduces itself once')
})

test('it says what it would need', async (t) => {
  const texts = await new Conversation(model, undefined, ['read_file']).say('delete a.txt')
  t.match(texts[0], /delete_file, which is not offered/)
})

test('greetings, questions and nonsense are answered with what it can do, in the language used', async (t) => {
  for (const message of ['hello', 'Help!', 'What is the meaning of life?', 'read', '', 'write a poem, please', '"'.repeat(99), 'a'.repeat(100_000)]) {
    const [text] = await new Conversation(model).say(message)
    t.match(text, /demo model.*read notes\.txt/s, message.slice(0, 20))
  }
  for (const message of ['bonjour', 'Salut !', 'aide', 'Quel est le sens de la vie ?', 'où est mon fichier ?']) {
    const [text] = await new Conversation(model).say(message)
    t.match(text, /modèle de démonstration.*lis notes\.txt/s, message)
  }
  t.strictSame(parseRequest('read a.txt, then dance "a jig"'), { kind: 'unknown', language: 'en', part: 'dance "a jig"' })
})

test('it tells a story of as many words as one wants', async (t) => {
  for (const [message, words] of [['write a long story of 500 words', 500], ['écris une longue histoire de 120 mots', 120], ['write a long text', 400], ['write a story of 1 words', 1]] as const) {
    const [text] = await new Conversation(model).say(message)
    t.equal(text?.split(/\s+/).length, words)
  }
})

test('it thinks before it acts', async (t) => {
  const talk = new Conversation(model)
  const texts = await talk.say('think about locks, then list')
  t.match(joined(talk.parts, 'reasoning'), /The question is locks\./)
  t.strictSame(talk.calls.map(({ tool }) => tool), ['list_dir'])
  t.equal(texts.length, 2)
  const alone = new Conversation(model)
  t.match(await alone.say('réfléchis à la mer'), [/réfléchi/])
  t.match(joined(alone.parts, 'reasoning'), /la mer/)
})

test('it streams word by word, and stops when it is told', async (t) => {
  const slow = new DemoModel({ wordDelayMs: 5 })
  const { parts, ms } = await callModel(slow, { messages: [{ role: 'user', content: 'write a text of 30 words' }], tools: [] })
  t.ok(parts.length >= 30)
  t.ok(ms >= 30 * 4)
  const stop = new AbortController()
  const reason = new Error('enough')
  setTimeout(() => { stop.abort(reason) }, 50)
  const started = performance.now()
  await t.rejects(callModel(slow, { messages: [{ role: 'user', content: 'write a text of 5000 words' }], tools: [] }, stop.signal), reason)
  t.ok(performance.now() - started < 5_000)
})

test('messages that were made to be slow are not', async (t) => {
  const started = performance.now()
  for (const piece of [' ', '\n', '«', '"', '\'', 'then ', '<a>\n', '; ', '`x', 'replace a ', 'the ', '\n<x></x>']) parseRequest(`read ${piece.repeat(200_000)}`)
  t.ok(performance.now() - started < 15_000, `took ${performance.now() - started} ms`)
})
