import { spawn, spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'tap'
import { sandboxOwner } from '../../src/workspace/commands/sandbox-user.ts'
import { seccompProgram } from '../../src/workspace/commands/seccomp.ts'
import { syscallTables } from '../../src/workspace/commands/syscalls.ts'
import { commandSession, openCommandSession, processesWith, sessionId, within } from './command-session.ts'

const child = new URL('./children/run-one.js', import.meta.url).pathname

test('where bubblewrap works at all, the whole sandbox does', async (t) => {
  const owner = sandboxOwner()
  const plain = spawnSync('/usr/bin/bwrap', ['--unshare-all', '--ro-bind', '/', '/', '--proc', '/proc', '/bin/true'], { cwd: '/', ...(owner ?? {}) })
  if (plain.status !== 0) {
    t.comment('NO SANDBOX ON THIS HOST: bwrap cannot even run /bin/true. The tests of commands are skipped.')
    t.pass('needs bubblewrap', { skip: 'bwrap does not work here' })
    return
  }
  const session = await openCommandSession(t)
  t.same(session.runner.status, { available: true, level: 'full' })
  t.equal(session.runner.hasRipgrep, true)
  t.same(await session.runner.probe(), { available: true, level: 'full' })
  t.same(readdirSync(join(session.dataDir, 'workspaces')), [sessionId], 'the check leaves nothing behind')
})

test('34: a command is nobody inside, without capabilities, and not root on the host', async (t) => {
  const session = await commandSession(t)
  if (session === null) return
  const seconds = `0.4${process.pid}`
  const running = session.run(`id -u; grep -E "CapEff|NoNewPrivs|Seccomp:" /proc/self/status; sleep ${seconds}`)
  let owners: number[] = []
  await within(5_000, () => {
    owners = processesWith(seconds).map((pid) => statSync(`/proc/${pid}`).uid)
    return owners.length > 0
  })
  const { out } = await running
  t.match(out, /^1000$/m)
  t.match(out, /^CapEff:\s*0+$/m)
  t.match(out, /^NoNewPrivs:\s*1$/m)
  t.match(out, /^Seccomp:\s*2$/m)
  t.ok(owners.length > 0 && owners.every((uid) => uid !== 0), `host uids ${owners.join(', ')}`)
})

test('35 and 37: neither the environment nor the open files of the server are in the sandbox', async (t) => {
  const session = await commandSession(t)
  if (session === null) return
  const secretFile = join(session.outside, 'shadow')
  writeFileSync(secretFile, 'hunter3\n')
  const handle = openSync(secretFile, 'r')
  const command = 'env; cat /proc/*/environ; cat <&7; cat /proc/1/fd/7; cat <&30; ls /proc/1/fd /proc/self/fd; true'
  const server = spawn(process.execPath, [child, session.dataDir, command], {
    env: { SERVER_SECRET: 'hunter2' },
    stdio: ['ignore', 'pipe', 'pipe', 'ignore', 'ignore', 'ignore', 'ignore', handle, ...Array.from({ length: 22 }, () => 'ignore' as const), handle]
  })
  closeSync(handle)
  let out = ''
  server.stdout?.on('data', (bytes: Buffer) => { out += bytes.toString() })
  server.stderr?.on('data', (bytes: Buffer) => { out += bytes.toString() })
  await new Promise((resolve) => server.on('close', resolve))
  t.match(out, /\[exited\]/)
  t.match(out, /HOME=\/home\/agent/)
  t.notMatch(out, /hunter/)
})

test('36: the command line of the sandbox shows neither host paths nor settings', async (t) => {
  const session = await commandSession(t, { environment: { OPERATOR_TOKEN: 'hunter2' } })
  if (session === null) return
  const { out } = await session.run('cat /proc/1/cmdline | tr "\\0" " "')
  t.match(out, /bwrap --args/)
  t.notMatch(out, /hunter2/)
  t.notOk(out.includes(session.dataDir))
})

test('38: of the host there are its programs only', async (t) => {
  const session = await commandSession(t)
  if (session === null) return
  const { out } = await session.run('cat /etc/shadow /etc/hostname; ls -d /root /var /run /sys /home/*; ls /etc; hostname 2>/dev/null || cat /proc/sys/kernel/hostname')
  t.notMatch(out, /root:|\/root|\/var|\/run|\/sys/)
  t.match(out, /\/home\/agent/)
  t.match(out, /^sandbox$/m)
})

test('39 and 40: nothing outside of the workspace can be written, linked or made', async (t) => {
  const session = await commandSession(t)
  if (session === null) return
  const { out } = await session.run('for f in /usr/x /etc/x /x /proc/x; do touch $f && echo "made $f"; done; ln /usr/bin/env /workspace/h && echo linked; mknod /workspace/b b 254 0 && echo node; true')
  t.equal(out, '')
  t.notOk(existsSync('/usr/x'))
})

test('41: there is no network, not even to this server', async (t) => {
  const session = await commandSession(t)
  if (session === null) return
  const server = createServer((socket) => socket.end('reached\n'))
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve) })
  t.teardown(() => server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const { out, err } = await session.run(`exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3; tail -n +3 /proc/net/dev | cut -d: -f1`)
  t.match(err, /refused|unreachable/)
  t.equal(out.replace(/\s/g, ''), 'lo')
})

test('42: sockets are of the internet and Unix families only', async (t) => {
  const session = await commandSession(t)
  if (session === null) return
  const { out } = await session.run('perl -MErrno -e \'for (40, 16, 17, 38, 2) { print "$_ ", socket(my $s, $_, 1, 0) ? "open" : $!{EAFNOSUPPORT} ? "EAFNOSUPPORT" : $!, "\\n" }\'')
  t.equal(out, '40 EAFNOSUPPORT\n16 EAFNOSUPPORT\n17 EAFNOSUPPORT\n38 EAFNOSUPPORT\n2 open\n')
})

test('43: no namespaces, mounts, tracing, keys or other doors into the kernel', { skip: process.arch !== 'x64' && 'the numbers are those of x64' }, async (t) => {
  const session = await commandSession(t)
  if (session === null) return
  const calls = { ptrace: 101, io_uring_setup: 425, bpf: 321, keyctl: 250, setns: 308, mount: 165, open_tree: 428, userfaultfd: 323, process_vm_readv: 310, kexec_load: 246 }
  const script = Object.entries(calls).map(([name, number]) => `$! = 0; syscall(${number}, 0, 0, 0, 0, 0); print "${name} ", $!{EPERM} ? "EPERM" : $!, "\\n";`).join(' ')
  const { out, err } = await session.run(`unshare --user true && echo unshared; perl -MErrno -e '${script} $! = 0; syscall(435, 0, 0); print "clone3 ", $!{ENOSYS} ? "ENOSYS" : $!, "\\n"; $! = 0; syscall(56, 0x10000000 | 17, 0, 0, 0, 0); print "clone ", $!{EPERM} ? "EPERM" : $!, "\\n"'`)
  t.match(err, /unshare failed: Operation not permitted/)
  t.equal(out, Object.keys(calls).map((name) => `${name} EPERM\n`).join('') + 'clone3 ENOSYS\nclone EPERM\n')
})

test('43: a program of another architecture is killed, not let through', { skip: process.arch !== 'x64' && 'the numbers are those of x64' }, async (t) => {
  const session = await commandSession(t)
  if (session === null) return
  const { out } = await session.run('perl -e \'syscall(0x40000000 + 39); print "alive\\n"\'; echo after')
  t.equal(out, 'after\n')
})

test('44: nothing can be typed into a terminal', async (t) => {
  const session = await commandSession(t)
  if (session === null) return
  const { out } = await session.run('perl -MErrno -e \'for (0x5412, 0x541c) { my $b = "x"; ioctl(STDIN, $_, $b); print $!{EPERM} ? "EPERM\\n" : "$!\\n" }\'; exec 3</dev/tty || echo no terminal')
  t.match(out, /^EPERM\nEPERM\nno terminal\n$/)
})

test('56: limits cannot be lifted', async (t) => {
  const session = await commandSession(t)
  if (session === null) return
  const { out } = await session.run('for flag in u d f c n t; do ulimit -$flag unlimited && echo "lifted $flag"; done; ulimit -u; ulimit -c')
  t.equal(out, '128\n0\n')
})

test('57: a runtime that reserves much address space works under the limits', async (t) => {
  const session = await commandSession(t)
  if (session === null) return
  const { out, err } = await session.run('command -v node >/dev/null || { echo none; exit; }; node -e "new WebAssembly.Memory({initial:1}); console.log(2)"')
  t.match(out, /^(2|none)\n$/, err)
})

test('58: nothing is kept between commands but the workspace', async (t) => {
  const session = await commandSession(t)
  if (session === null) return
  await session.run('export X=1; echo echo evil >> ~/.bashrc; cp ~/.bashrc ~/.bash_profile; echo a > /tmp/a; echo b > /dev/shm/b; echo kept > kept')
  const { out } = await session.run('echo "[$X]"; ls -A ~ /tmp /dev/shm; cat kept')
  t.equal(out, '[]\n/dev/shm:\n\n/home/agent:\n\n/tmp:\nkept\n')
  t.equal(readFileSync(join(session.directory, 'kept'), 'utf8'), 'kept\n')
})

test('a command can open its output by name', async (t) => {
  const session = await commandSession(t)
  if (session === null) return
  const { out, err } = await session.run('echo a > /dev/stderr; echo b | tee /dev/stdout')
  t.equal(err, 'a\n')
  t.equal(out, 'b\nb\n')
})

test('an operator may add variables and tools, and no more than these', async (t) => {
  const session = await commandSession(t, { environment: { CI: '1' } })
  if (session === null) return
  const { out } = await session.run('env | cut -d= -f1 | sort')
  t.same(out.trim().split('\n'), ['CI', 'GIT_CONFIG_NOSYSTEM', 'HOME', 'LANG', 'LOGNAME', 'PATH', 'PWD', 'SHELL', 'SHLVL', 'TERM', 'TMPDIR', 'USER', '_'])
})

test('every machine that is known has a filter of a size that the kernel takes', async (t) => {
  for (const table of Object.values(syscallTables)) {
    if (table === undefined) continue
    const program = seccompProgram(table)
    t.equal(program.length % 8, 0)
    t.ok(program.length / 8 > 100 && program.length / 8 < 4_096)
    t.equal(program.readUInt32LE(12), table.auditArch)
    t.equal(new Set(table.refused).size, table.refused.length)
  }
})
