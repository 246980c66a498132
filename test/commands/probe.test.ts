import { test } from 'tap'
import type { CommandResult } from '../../src/workspace/commands/command-runner.ts'
import { explain, judgeProbe } from '../../src/workspace/commands/probe.ts'

test('each way in which hosts and containers refuse a sandbox has a reason and a remedy', (t) => {
  const said: Array<[said: string, reason: RegExp, advice: RegExp]> = [
    ['bwrap: Creating new namespace failed: Operation not permitted', /User namespaces are not allowed/, /seccomp/],
    ['bwrap: No permissions to create new namespace, likely because the kernel does not allow non-privileged user namespaces.', /User namespaces are not allowed/, /seccomp/],
    ['bwrap: Can\'t mount proc on /newroot/proc: Operation not permitted', /\/proc is masked/, /systempaths=unconfined/],
    ['bwrap: Failed to make / slave: Permission denied', /denies mounting/, /apparmor/],
    ['bwrap: setting up uid map: Permission denied', /AppArmor/, /bwrap-userns-restrict/],
    ['bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted', /AppArmor/, /apparmor_restrict_unprivileged_userns/],
    ['bwrap: cannot open /proc/sys/user/max_user_namespaces: No such file or directory', /limit user namespaces/, /max_user_namespaces/],
    ['bwrap: Can\'t find source path /srv/x: Permission denied', /cannot reach the workspaces/, /x permission/],
    ['spawn /usr/bin/env EPERM', /may not run anything as the user/, /ordinary user/],
    ['EPERM in chown', /may not run anything as the user/, /ordinary user/],
    ['ENOENT /usr/bin/bwrap', /not installed/, /bubblewrap/],
    ['something else', /something else/, /Try: bwrap/]
  ]
  for (const [words, reason, advice] of said) {
    const { reason: given, advice: remedy } = explain(words)
    t.match(given, reason, words)
    t.match(remedy, advice, words)
    t.notMatch(given, /\/srv\/x/)
  }
  t.end()
})

const good = 'Uid: 1000\nCapEff: 0000000000000000\nNoNewPrivs: 1\nSeccomp: 2\nprocesses 3\ninterface lo:\nworkspace writable\ndone\n'

function ended (text: string): CommandResult {
  const nothing = { head: Buffer.alloc(0), tail: Buffer.alloc(0), bytes: 0, omitted: 0 }
  return { outcome: 'exited', exitCode: 0, signal: null, durationMs: 1, stdout: { ...nothing, head: Buffer.from(text) }, stderr: nothing }
}

test('a sandbox that lacks one of its walls is not used', (t) => {
  t.same(judgeProbe(ended(good)), { available: true, level: 'full' })
  const broken: Array<[from: string, to: string, fault: RegExp]> = [
    ['Uid: 1000', 'Uid: 0', /user/], ['CapEff: 0000000000000000', 'CapEff: 00000000a80425fb', /capabilities/], ['NoNewPrivs: 1', 'NoNewPrivs: 0', /privileges/],
    ['Seccomp: 2', 'Seccomp: 0', /filter/], ['processes 3', 'processes 83', /other processes/], ['interface lo:', 'interface lo:\ninterface eth0:', /network/],
    ['workspace writable', '', /workspace/], ['done', 'environment API_KEY\ndone', /environment/], ['done', 'writable /usr\ndone', /outside/],
    ['done', 'namespaces open\ndone', /namespaces/], ['done', '', /did not end/]
  ]
  for (const [from, to, fault] of broken) t.match(judgeProbe(ended(good.replace(from, to))), { available: false, reason: fault }, `${from} → ${to}`)
  t.end()
})
