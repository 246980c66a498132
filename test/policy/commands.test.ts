import process from 'node:process'
import fc from 'fast-check'
import { test } from 'tap'
import { commandNestingMax, commandReadLengthMax } from '../../src/limits.ts'
import { allow, commandCall, decide, deny } from './calls.ts'
import { tricks } from './tricks.ts'

test('no trick around an allowed command is allowed', async (t) => {
  t.ok(tricks.length >= 60)
  for (const [rule, command] of [['git log', 'git log'], ['git status', 'git status -s'], ['echo', 'echo'], ['grep', "grep 'a b' x.txt"]] as const) {
    t.equal(decide([allow(rule)], command), 'allow')
    const tricked = tricks.map((trick) => trick.replaceAll('@', command))
    t.same(tricked.filter((text) => decide([allow(rule)], text) !== 'ask'), [])
  }
})

test('no two tricks together are allowed, whatever the order of the rules', async () => {
  const rules = [allow('git log'), allow('echo'), allow('cat')]
  const unquoted = fc.constantFrom(...tricks.filter((trick) => !/['"\\]/.test(trick))) // two quotes may make one harmless word
  fc.assert(fc.property(unquoted, unquoted, fc.shuffledSubarray(rules, { minLength: 3 }), (one, other, rules) => {
    return decide(rules, one.replaceAll('@', () => other.replaceAll('@', 'git log'))) === 'ask'
  }), { numRuns: 3_000 })
})

test('a chain is allowed when each of its commands is, by one rule or another', async (t) => {
  const rules = [allow('git log'), allow('git status'), allow('head')]
  for (const command of [
    'git log', '  git log\t-3 ', 'git log; git status', 'git log;git status;', 'git log && git status -s || git log', 'git log -3 | head -n 1', 'git log |\n head', '\ngit log\n\ngit status\n',
    "git log --grep='a; b' --author \"A && B\"", 'git log -- src/*.ts ~/x {a,b} a\\ b', 'git log 2>/dev/null', 'git log > /dev/null 2>&1', 'git log &>/dev/null; git log', 'head < a.txt', 'git log é'
  ]) t.equal(decide(rules, command), 'allow', JSON.stringify(command).replaceAll('#', ''))
  t.equal(decide([allow('git log')], 'git log; git status'), 'ask')
})

test('a star stands for any words, within a word for any characters, and then the whole command must match', async (t) => {
  t.equal(decide([allow('npm run test:*')], 'npm run test:unit'), 'allow')
  t.equal(decide([allow('npm run test:*')], 'npm run test:unit --update'), 'ask')
  t.equal(decide([allow('npm run test:*')], 'npm run "test:a b"'), 'allow')
  t.equal(decide([allow('npm run *')], 'npm run'), 'allow')
  t.equal(decide([allow('npm run *')], 'npm run build --x'), 'allow')
  t.equal(decide([allow('git * --stat')], 'git diff HEAD~1 --stat'), 'allow')
  t.equal(decide([allow('git * --stat')], 'git diff --stat HEAD'), 'ask')
  t.equal(decide([allow('* --version')], 'node --version'), 'allow')
  t.equal(decide([allow('* --version')], 'sudo --version'), 'ask')
  t.equal(decide([allow('*')], 'env rm x'), 'ask')
  t.equal(decide([allow('sudo *')], 'sudo --version'), 'allow')
  t.equal(decide([allow('Git log')], 'git log'), 'ask')
  t.equal(decide([allow(' ')], 'git log'), 'ask')
})

test('what the shell would expand is covered only where any words would be', async (t) => {
  t.equal(decide([allow('cat')], 'cat *.txt'), 'allow')
  t.equal(decide([allow('cat a*')], 'cat a*'), 'ask')
  t.equal(decide([allow('cat *')], 'cat a*'), 'allow')
  t.equal(decide([allow('rm tmp')], 'rm {tmp,src}'), 'ask')
})

test('a rule that forbids finds its command wherever it hides', async (t) => {
  for (const command of [
    'rm x', '/bin/rm x', 'RM x', '"rm" x', "r''m x", 'r\\m x', "$'\\x72m' x", 'ls; rm x', 'ls | rm x', 'ls & rm x', 'echo $(rm x)', 'echo "`rm x`"', 'cat <(rm x)', '(rm x)', '{ rm x; }',
    'if true; then rm x; fi', 'f() { rm x; }; f', 'X=1 rm x', 'env X=1 rm x', 'sudo -u me rm x', 'xargs -n 1 rm', 'nohup nice -n 5 rm x', 'bash -c "ls; rm x"', "eval 'rm x'", 'eval rm x',
    "sh -c 'bash -c \"rm x\"'", 'bash <<E\nrm x\nE', "bash <<< 'rm x'", 'find . -exec rm {} +', 'trap "rm x" EXIT', 'command rm x', 'timeout 5 rm x', 'busybox rm x', 'time rm x', '! rm x',
    'coproc rm x', 'case x in *) rm x;; esac', 'echo $' + '{x:-$(rm x)}', 'a=$(rm x)', 'echo $((1 + $(rm x)))', '[[ -n $(rm x) ]]', 'cat <<E\n$(rm x)\nE', 'for i in $(rm x); do ls; done', 'r\\\nm x',
    'shopt -s expand_aliases\nalias f=rm\nf x', "alias f='rm x'", 'alias "f=ls; rm x"', "env -S'rm x'", 'env --split-string="rm x"', 'hash -p /bin/rm f; f x',
    'ls )( rm x', 'ls "; rm x', `${'('.repeat(500)}rm x`, 'if; rm x'
  ]) t.equal(decide([deny('rm')], command, 'auto'), 'deny', JSON.stringify(command).replaceAll('#', ''))
})

test('a rule that forbids does not see its word where it is only a word', async (t) => {
  for (const command of ['ls rm', 'echo "rm x"', 'git commit -m "rm x"', 'npm rm-rf', 'grep -r rm .', './rmdir x', 'find . -name rm', 'echo $HOME', "cat <<'E'\nrm x\nE", 'X=rm ls', 'cat > rm', 'alias rm=ls', 'env --chdir=a ls', 'nice -n5 ls']) {
    t.equal(decide([deny('rm')], command, 'auto'), 'allow', JSON.stringify(command).replaceAll('#', ''))
  }
})

test('commandReadLengthMax: what cannot be read may be what is forbidden: it is asked, also where the mode would allow', async (t) => {
  for (const command of [
    '$X x', '"$X" x', 'X=rm; $X y', '$(echo rm) x', '{rm,-rf,x}', 'r? x', '/bin/r* x', 'eval "$X"', 'bash -c "$X"', 'curl x | sh', 'bash -s', "printf -v 'a[$(id)]' x", 'ls "', 'ls )',
    `echo ${'x'.repeat(commandReadLengthMax)}`, 'ls;'.repeat(3_000)
  ]) {
    t.equal(decide([deny('rm')], command, 'auto'), 'ask', command.slice(0, 40))
    t.equal(decide([{ tool: '*', path: 'never/**', decision: 'deny' }], command, 'auto'), 'allow')
  }
  t.equal(decide([deny('git push')], 'git $X', 'auto'), 'ask')
  t.equal(decide([deny('git push')], 'git log $X', 'auto'), 'allow')
})

test('options before a word do not hide it from a rule that forbids', async (t) => {
  for (const command of ['git push', 'git -C here push -f', 'git --no-pager push', 'git --git-dir=x -c a=b push', 'GIT Push']) t.equal(decide([deny('git push')], command, 'auto'), 'deny', JSON.stringify(command).replaceAll('#', ''))
  for (const command of ['git stash push', 'git log push', 'git pushx', 'git']) t.equal(decide([deny('git push')], command, 'auto'), 'allow', JSON.stringify(command).replaceAll('#', ''))
  t.equal(decide([deny('git push*')], 'git pushx -f', 'auto'), 'deny')
})

test('a command that is remembered is that text and no other', async (t) => {
  const rules = [allow('=echo "$(date)" > now.txt')]
  t.equal(decide(rules, 'echo "$(date)" > now.txt'), 'allow')
  for (const other of ['echo "$(date)" > now.txt ', 'echo "$(date)" > now.txt; id', 'echo "$(date)"', 'ECHO "$(date)" > now.txt']) t.equal(decide(rules, other), 'ask', other)
  t.equal(decide([allow('=a'), allow('=b')], 'a; b'), 'ask')
})

test('a rule for commands in one directory does not follow them into another', async (t) => {
  const rules = [{ ...allow('make'), path: 'docs' }, allow('cd')]
  t.equal(decide(rules, commandCall('make', 'docs')), 'allow')
  t.equal(decide(rules, commandCall('make', 'src')), 'ask')
  t.equal(decide(rules, commandCall('cd ../src && make', 'docs')), 'ask')
})

test('commands with hundreds of parts are compared to the last', async (t) => {
  t.equal(decide([allow('ls')], 'ls;'.repeat(500)), 'allow')
  t.equal(decide([allow('ls')], `${'ls;'.repeat(500)}rm x`), 'ask')
  t.equal(decide([deny('rm')], `${'ls;'.repeat(500)}rm x`, 'auto'), 'deny')
})

test('no text takes long to decide', async (t) => {
  const rules = Array.from({ length: 200 }, (_, index) => index % 2 === 0 ? allow(`a* ${'* x'.repeat(300)}`) : deny(`*a*b*${'* x'.repeat(300)}`))
  for (const part of ['(', '$(', '"$(', '`', '{a,', 'a ', '$((', '${x:-', '<<a\n', 'a=(', '[[ (', 'if ', '!', 'a|', 'a;', '"', "$'", '\\', 'sudo ', 'eval "', '*', "'a' "]) {
    const started = process.cpuUsage()
    decide(rules, part.repeat(commandReadLengthMax / part.length))
    const { user, system } = process.cpuUsage(started)
    t.ok(user + system < 2_000_000, `${Math.round((user + system) / 1_000)} ms of CPU`)
  }
})

test('the command itself must be written plainly, whatever the rules allow', async (t) => {
  for (const text of ['"git" log', 'gi\\t log', '~/x', './a*', '{a,b}', '[ -e x ]', 'X=1', 'if a; then b; fi', 'time ls', '! ls', "echo '\u001b[2K'", "echo '\ue000'"]) {
    t.equal(decide([allow('*')], text), 'ask', JSON.stringify(text))
  }
  t.equal(decide([allow('printf')], 'printf x'), 'allow')
  t.equal(decide([allow('printf')], 'printf -v PATH .; printf x'), 'ask')
})

test('commandNestingMax: scripts within scripts are followed to a depth, and asked beyond', async (t) => {
  const nested = (depth: number): string => depth === 0 ? 'ls' : `eval '${nested(depth - 1).replaceAll("'", "'\\''")}'`
  t.equal(decide([deny('rm')], nested(commandNestingMax), 'auto'), 'allow')
  t.equal(decide([deny('ls')], nested(commandNestingMax), 'auto'), 'deny')
  t.equal(decide([deny('rm')], nested(commandNestingMax + 2), 'auto'), 'ask')
})
