import { readdirSync, statfsSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { test } from 'tap'
import { captureEndBytes } from '../../src/limits.ts'
import { Capture } from '../../src/workspace/commands/capture.ts'
import { commandSession } from './command-session.ts'

const MiB = 1024 * 1024

/** The longest time that the event loop was away while `work` ran. */
async function longestLag (work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = performance.now()
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last - 5)
    last = performance.now()
  }, 5)
  await work()
  clearInterval(timer)
  return longest
}

test('commandOutputBytes, captureEndBytes: 49: endless output is stopped, and no more than its ends are kept', async (t) => {
  const session = await commandSession(t)
  if (session === null) return
  const lag = await longestLag(async () => {
    const { outcome, result } = await session.run('yes | head -c 10G')
    t.equal(outcome, 'output_limit')
    t.equal(result.stdout.head.length + result.stdout.tail.length, 2 * captureEndBytes)
    t.equal(result.stdout.omitted, result.stdout.bytes - 2 * captureEndBytes)
  })
  t.ok(lag < 500, `${Math.round(lag)} ms`)
})

test('50: output arrives whole: long lines, any bytes, characters in two pieces', async (t) => {
  const session = await commandSession(t)
  if (session === null) return
  const long = await session.run('head -c 3000000 /dev/zero | tr "\\0" a')
  t.equal(long.result.stdout.bytes, 3_000_000)
  t.equal(long.out, 'a'.repeat(2 * captureEndBytes))
  t.equal((await session.run('head -c 200000 /dev/urandom')).result.stdout.bytes, 200_000)
  t.equal((await session.run('printf "\\xe2"; sleep 0.05; printf "\\x82\\xac"; printf b >&2')).out, '€')
})

test('what is captured is the beginning and the end, however it comes', (t) => {
  for (const size of [1, 3, 7, 100, 1_000]) {
    const capture = new Capture(10)
    const all = Buffer.from(Array.from({ length: 1_000 }, (_, index) => index % 251))
    for (let at = 0; at < all.length; at += size) capture.add(all.subarray(at, at + size))
    const { head, tail, bytes, omitted } = capture.result()
    t.same([...head], [...all.subarray(0, 10)])
    t.same([...tail], [...all.subarray(990)])
    t.same([bytes, omitted], [1_000, 980])
  }
  const short = new Capture(10)
  short.add(Buffer.from('abcdefghijklm'))
  t.same([short.result().head.toString(), short.result().tail.toString(), short.result().omitted], ['abcdefghij', 'klm', 0])
  t.end()
})

test('52: a fork bomb ends by the timeout, and the server goes on meanwhile', async (t) => {
  const session = await commandSession(t)
  if (session === null) return
  const lag = await longestLag(async () => {
    t.equal((await session.run(':(){ :|:& };: ; sleep 20', { timeoutMs: 1_500 })).outcome, 'timeout')
  })
  t.ok(lag < 1_000, `${Math.round(lag)} ms`)
  t.equal((await session.run('echo next')).out, 'next\n')
})

test('processMemoryBytes: 53: one process that takes too much memory fails', async (t) => {
  const session = await commandSession(t, { limits: { processMemoryBytes: 200 * MiB } })
  if (session === null) return
  const { outcome, exitCode } = await session.run('dd if=/dev/zero of=/dev/null bs=400M count=1')
  t.equal(outcome, 'exited')
  t.not(exitCode, 0)
})

test('commandMemoryBytes: 53: many processes that take too much memory together are stopped', async (t) => {
  const session = await commandSession(t, { limits: { memoryBytes: 300 * MiB } })
  if (session === null) return
  const { outcome, durationMs } = await session.run('for i in 1 2 3 4; do setsid dd if=/dev/zero of=/dev/null bs=100M count=100000 & done; wait')
  t.equal(outcome, 'memory_limit')
  t.ok(durationMs < 5_000, `${durationMs} ms`)
})

test('53: memory that processes share is counted too', { skip: process.arch !== 'x64' && 'the number of mmap is that of x64' }, async (t) => {
  const session = await commandSession(t, { limits: { memoryBytes: 300 * MiB } })
  if (session === null) return
  const script = 'my $a = syscall(9, 0, 600 << 20, 3, 0x21, -1, 0); open(my $m, "+<", "/proc/self/mem"); binmode $m; my $b = "x" x (1 << 20); for my $i (0 .. 599) { sysseek($m, $a + ($i << 20), 0); syswrite($m, $b) } sleep 20'
  t.equal((await session.run(`perl -e '${script}'`, { timeoutMs: 10_000 })).outcome, 'memory_limit')
})

test('commandFileBytes: 54: a file that is too large, sparse or not, is refused', async (t) => {
  const session = await commandSession(t, { limits: { fileBytes: 16 * MiB } })
  if (session === null) return
  const { out, err } = await session.run('truncate -s 1T s; fallocate -l 8M f; head -c 30M /dev/zero > b; stat -c "%n %s" s f b')
  t.match(err, /fallocate failed: Operation not supported/)
  t.equal(out, `s 0\nf 0\nb ${16 * MiB}\n`)
})

test('commandDiskBytes, watchdogIntervalMs: 54: filling the disk is stopped', async (t) => {
  const session = await commandSession(t, { limits: { diskBytes: 64 * MiB } })
  if (session === null) return
  const before = statfsSync(session.directory)
  const { outcome } = await session.run('for i in $(seq 10000); do head -c 30M /dev/zero > f$i; done')
  const after = statfsSync(session.directory)
  t.equal(outcome, 'disk_limit')
  t.ok((before.bavail - after.bavail) * before.bsize < 1024 * MiB)
})

test('commandDiskFiles: 54: filling the disk with empty files is stopped', async (t) => {
  const session = await commandSession(t, { limits: { diskFiles: 2_000 } })
  if (session === null) return
  const { outcome } = await session.run('i=0; while :; do i=$((i+1)); : > f$i; done', { timeoutMs: 5_000 })
  t.equal(outcome, statfsSync(session.directory).files === 0 ? 'timeout' : 'disk_limit') // some file systems do not count inodes
  t.ok(readdirSync(session.directory).length < 100_000)
})

test('freeDiskBytesMin: 54: where the disk is nearly full no command is begun', async (t) => {
  const session = await commandSession(t, { limits: { freeDiskBytes: Number.MAX_SAFE_INTEGER } })
  if (session === null) return
  t.equal((await session.run('touch ran')).outcome, 'disk_limit')
  t.same(readdirSync(session.directory), [])
})

test('temporaryBytes, sharedMemoryBytes, homeTmpfsBytes: 55: what is not the workspace is small, and full at its size', async (t) => {
  const session = await commandSession(t)
  if (session === null) return
  const { out, err } = await session.run('for d in /tmp /dev/shm ~ /; do head -c 100M /dev/zero > $d/fill; done; stat -c "%n %s" /tmp/fill /dev/shm/fill ~/fill')
  t.equal(err.match(/No space left on device/g)?.length, 3)
  t.match(err, /Read-only file system/)
  t.match(out, new RegExp(`/tmp/fill ${64 * MiB}\n/dev/shm/fill ${16 * MiB}\n/home/agent/fill ${16 * MiB}`))
})
