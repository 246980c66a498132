import fc from 'fast-check'
import { test } from 'tap'
import { decidePolicy, type PolicyCall } from '../../src/agent/policy/decide-policy.ts'
import { fold, literalGlob, matchesGlob, matchesInside, readGlob } from '../../src/agent/policy/glob.ts'
import { mayShow } from '../../src/agent/policy/may-show.ts'
import { narrowestRule } from '../../src/agent/policy/narrowest-rule.ts'
import { Steps } from '../../src/agent/policy/steps.ts'
import { ruleTextLengthMax } from '../../src/limits.ts'
import type { Effect } from '../../src/protocol/plan.ts'
import type { Decision, Rule } from '../../src/protocol/common.ts'
import { commandCall, decide, fileCall, open } from './calls.ts'

const rule = (path: string, decision: Decision, tool = '*'): Rule => ({ tool, path, decision })
const matches = (pattern: string, path: string): boolean => matchesGlob(readGlob(pattern) ?? [], path, new Steps())

test('globs match names and paths', async (t) => {
  for (const [pattern, yes, no] of [
    ['src/**', ['src/a', 'src/a/b.ts', 'src/.x'], ['src', 'srcx/a', 'a/src/b', '']],
    ['src/', ['src/a'], ['src']],
    ['**', ['', 'a', 'a/b'], []],
    ['**/.env', ['.env', 'a/.env', 'a/b/.env'], ['a.env', '.env/a', 'a/x.env']],
    ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['a/xb', 'ab', 'a/b/c']],
    ['*.ts', ['a.ts', '.ts'], ['a/b.ts', 'a.tsx']],
    ['a?c', ['abc', 'a😀c'], ['ac', 'a/c', 'abbc']],
    ['[a-c]x[!0-9]', ['axy', 'cx.'], ['dxy', 'ax1', 'ax/']],
    ['{a,b{c,d}}.ts', ['a.ts', 'bc.ts', 'bd.ts'], ['b.ts', 'c.ts']],
    ['./src//a.ts', ['src/a.ts'], ['a.ts']],
    ['/workspace/a', ['a'], ['workspace/a']],
    ['.', [''], ['a']],
    ['a\\*b', ['a*b'], ['axb']],
    ['{a', ['{a'], ['a']],
    ['[a', ['[a'], ['a']],
    ['!a', ['!a'], ['b']]
  ] as const) {
    for (const path of yes) t.ok(matches(pattern, path), `${pattern} matches ${path}`)
    for (const path of no) t.notOk(matches(pattern, path), `${pattern} does not match ${path}`)
  }
})

test('a glob that is not read allows nothing and forbids everything', async (t) => {
  for (const pattern of ['+(a|b)', '!(a)', '../a', 'a/../b', '[[:alpha:]]', '{1..9}', '{a,b}'.repeat(7), 'x'.repeat(ruleTextLengthMax + 1)]) {
    t.equal(readGlob(pattern), null, pattern.slice(0, 40))
    t.equal(decide([rule(pattern, 'allow')], fileCall('write_file', 'a')), 'ask')
    t.equal(decide([rule(pattern, 'deny')], fileCall('write_file', 'b'), 'auto'), 'deny')
  }
})

test('a rule that allows must match every path, one that forbids any', async (t) => {
  const move = fileCall('move_file', 'src/a', 'secret/b')
  t.equal(decide([rule('src/**', 'allow')], move), 'ask')
  t.equal(decide([rule('{src,secret}/**', 'allow')], move), 'allow')
  t.equal(decide([rule('secret/**', 'deny'), rule('**', 'allow')], move), 'deny')
  t.equal(decide([rule('**', 'allow')], fileCall('write_file')), 'ask')
})

test('another spelling of a name does not slip past a rule that forbids, and is not covered by one that allows', async (t) => {
  for (const path of ['.git/config', '.GIT/config', '.Git/CONFIG']) t.equal(decide([rule('.git/**', 'deny')], fileCall('write_file', path), 'auto'), 'deny', path)
  for (const path of ['caf\u00e9', 'cafe\u0301', 'CAFE\u0301']) t.equal(decide([rule('cafe\u0301', 'deny')], fileCall('write_file', path), 'auto'), 'deny')
  t.equal(decide([rule('ma\u017fk', 'deny')], fileCall('write_file', 'MASK'), 'auto'), 'deny')
  t.equal(decide([rule('src/a', 'allow')], fileCall('write_file', 'SRC/a')), 'ask')
  t.equal(decide([{ tool: 'Write_File', decision: 'deny' }], fileCall('write_file', 'a')), 'deny')
})

test('a directory takes along what is protected in it, wherever it goes', async (t) => {
  const directory = (path: string, type: 'before' | 'after'): Effect => {
    const state = { type: 'directory' as const, inode: '1', manifest: 'a'.repeat(64) }
    return { path, before: { type: 'absent' }, after: { type: 'absent' }, [type]: state }
  }
  const moved = (from: string, to: string): PolicyCall => ({ ...fileCall('move_file', from, to), effects: [directory(from, 'before'), directory(to, 'after')] })
  t.equal(decide([rule('conf/keys/**', 'deny')], moved('conf', 'x'), 'auto'), 'deny')
  t.equal(decide([rule('conf/keys/**', 'deny')], moved('conf/keys', 'x'), 'auto'), 'deny')
  t.equal(decide([rule('conf/keys/**', 'deny')], moved('x', 'conf'), 'auto'), 'deny')
  t.equal(decide([rule('**/.env', 'ask')], moved('a', 'b'), 'auto'), 'ask')
  t.equal(decide([rule('conf/*/key', 'deny')], moved('conf/a', 'x'), 'auto'), 'deny')
  t.equal(decide([rule('conf/keys/**', 'deny')], moved('docs', 'x'), 'auto'), 'allow')
})

test('a rule about paths allows no command', async (t) => {
  t.equal(decide([rule('**', 'allow')], commandCall('rm x')), 'ask')
  t.equal(decide([{ tool: '*', decision: 'allow' }], commandCall('rm x')), 'allow')
})

test('no pattern takes long', async (t) => {
  const path = `${'a'.repeat(250)}/`.repeat(16)
  for (const part of ['*a', '**/', '{a,b}', '?', '[a-z]', '*', '**/*a/', '{a,', '[', '{', '{*,', '\\']) {
    const pattern = part.repeat(Math.floor(ruleTextLengthMax / part.length))
    const started = performance.now()
    decide([rule(pattern, 'allow'), rule(pattern, 'deny')], fileCall('write_file', path))
    t.ok(performance.now() - started < 500, `${part} ${performance.now() - started}`)
  }
})

test('ruleStepsMax: what took too many steps is asked', async (t) => {
  const slow = `${'*a'.repeat(500)}b`
  const path = 'a'.repeat(4_000)
  t.equal(decide([rule(slow, 'deny')], fileCall('write_file', path), 'auto'), 'ask')
  t.equal(decide([rule(slow, 'allow')], fileCall('write_file', path)), 'ask')
})

const name = fc.oneof(fc.constantFrom('a', 'A', '.env', 'a{b,c}', '[x]', '*', 'a,b', '+(a)', '!x', 'x\\', '@a', '{1..2}', 'é', '**'), fc.string({ minLength: 1, maxLength: 6, unit: 'grapheme' }))
  .filter((text) => !text.includes('/') && text !== '.' && text !== '..')
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/')).filter((path) => (path.match(/\{/g)?.length ?? 0) < 10)

test('the narrowest rule covers its call and no other', async () => {
  fc.assert(fc.property(path, path, (one, other) => {
    const rule = narrowestRule(fileCall('write_file', one))
    return rule !== null && decide([rule], fileCall('write_file', one)) === 'allow' && decide([rule], fileCall('edit_file', one)) === 'ask' &&
      (one === other || decide([rule], fileCall('write_file', other)) === 'ask')
  }), { numRuns: 2_000 })
  fc.assert(fc.property(path, path, path, (one, other, third) => {
    const rule = narrowestRule(fileCall('move_file', one, other))
    return rule !== null && decide([rule], fileCall('move_file', one, other)) === 'allow' &&
      (third === one || third === other || decide([rule], fileCall('move_file', one, third)) === 'ask')
  }), { numRuns: 2_000 })
  fc.assert(fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), path, path, (command, other, cwd, elsewhere) => {
    const rule = narrowestRule(commandCall(command, cwd))
    return rule !== null && decide([rule], commandCall(command, cwd)) === 'allow' &&
      (command === other || decide([rule], commandCall(other, cwd)) === 'ask') &&
      (cwd === elsewhere || decide([rule], commandCall(command, elsewhere)) === 'ask')
  }), { numRuns: 2_000 })
})

test('remembering "echo hi" covers neither more of it nor another directory', async (t) => {
  const rule = narrowestRule(commandCall('echo hi'))
  t.same(rule, { tool: 'run_command', path: '.', command: '=echo hi', decision: 'allow' })
  const rules = rule === null ? [] : [rule]
  t.equal(decide(rules, commandCall('echo hi')), 'allow')
  t.equal(decide(rules, commandCall('echo hi; id')), 'ask')
  t.equal(decide(rules, commandCall('echo hi there')), 'ask')
  t.equal(decide(rules, commandCall('echo hi', 'docs')), 'ask')
})

test('what is too long for a rule is not remembered', async (t) => {
  t.equal(narrowestRule(commandCall('x'.repeat(ruleTextLengthMax))), null)
  t.equal(narrowestRule(fileCall('write_file', 'x'.repeat(ruleTextLengthMax + 1))), null)
  t.match(narrowestRule(commandCall('x'.repeat(ruleTextLengthMax - 1))), { decision: 'allow' })
})

test('folding twice is folding once, and a literal glob of a path matches it alone', async () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (text) => fold(fold(text)) === fold(text)), { numRuns: 5_000 })
  fc.assert(fc.property(path, path, (one, other) => {
    const glob = readGlob(literalGlob(one))
    return glob !== null && matchesGlob(glob, one, new Steps()) && (one === other || !matchesGlob(glob, other, new Steps())) && matchesInside(glob, '', new Steps())
  }), { numRuns: 2_000 })
})

test('modes: readOnly of either denies what is dangerous, whatever is allowed', async (t) => {
  const write = fileCall('write_file', 'a')
  const read: PolicyCall = { ...fileCall('read_file', 'a'), dangerous: false }
  const everything: Rule[] = [{ tool: '*', decision: 'allow' }]
  for (const [server, session] of [['readOnly', 'auto'], ['ask', 'readOnly'], ['readOnly', 'ask']] as const) {
    t.equal(decidePolicy({ mode: server, rules: everything }, { mode: session, rules: everything }, write), 'deny')
    t.equal(decidePolicy({ mode: server, rules: [] }, { mode: session, rules: [] }, read), 'allow')
  }
  t.equal(decidePolicy(open, { mode: 'ask', rules: [] }, write), 'ask')
  t.equal(decidePolicy(open, { mode: 'auto', rules: [] }, write), 'allow')
  t.equal(decidePolicy(open, { mode: 'ask', rules: [] }, read), 'allow')
})

test('what the server says no session can raise', async (t) => {
  const write = fileCall('write_file', 'a')
  const everything: Rule[] = [{ tool: '*', decision: 'allow' }]
  t.equal(decidePolicy({ mode: 'ask', rules: [{ tool: 'write_*', decision: 'deny' }] }, { mode: 'auto', rules: everything }, write), 'deny')
  t.equal(decidePolicy({ mode: 'ask', rules: [{ tool: 'write_*', decision: 'ask' }] }, { mode: 'auto', rules: everything }, write), 'ask')
  t.equal(decidePolicy({ mode: 'ask', rules: everything }, { mode: 'ask', rules: [{ tool: 'write_*', decision: 'deny' }] }, write), 'deny')
})

test('what a search comes upon is shown where reading it would be let pass as the search was', async (t) => {
  const shown = (path: string, ...rules: Rule[]) => mayShow(open, { mode: 'ask', rules }, { tool: 'search_files', paths: [''] }, path)
  t.equal(shown('a'), true)
  for (const tool of ['*', 'read_file', 'search_files']) {
    t.equal(shown('.env', { tool, path: '.env', decision: 'deny' }), false, tool)
    t.equal(shown('.env', { tool, path: '.env', decision: 'ask' }), false, tool)
    t.equal(shown('a', { tool, path: '.env', decision: 'deny' }), true, tool)
  }
  t.equal(shown('a', { tool: 'write_file', path: 'a', decision: 'deny' }), true)
  t.equal(shown('a', { tool: '*', decision: 'ask' }), true, 'the search itself was asked')
  t.equal(shown('.env', { tool: '*', decision: 'ask' }, { tool: '*', path: '.env', decision: 'deny' }), false)
})
