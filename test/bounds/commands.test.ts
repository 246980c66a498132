import { PassThrough } from 'node:stream'
import { mock } from 'node:test'
import { test } from 'tap'
import * as limits from '../../src/limits.ts'
import { OutputFeed } from '../../src/tools/output-feed.ts'
import { SandboxProgress } from '../../src/workspace/commands/sandbox-status.ts'
import { commandSession } from '../commands/command-session.ts'
import { commandToolSession } from '../commands/command-tool-session.ts'

test('commandCpuSeconds, commandOpenFilesMax, commandProcessesMax, commandNiceness: the kernel holds a command to them', async (t) => {
  const session = await commandSession(t)
  if (session === null) return
  const { out } = await session.run('ulimit -t; ulimit -n; ulimit -u; sleep 0.3; nice')
  t.same(out.trim().split('\n').map(Number), [limits.commandCpuSeconds, limits.commandOpenFilesMax, limits.commandProcessesMax, limits.commandNiceness])
  t.match(await session.run(`for i in $(seq 10 ${limits.commandOpenFilesMax}); do eval "exec $i</dev/null" || exit 7; done`), { exitCode: 7 }, 'one file more cannot be opened')
  t.match((await session.run(`for i in $(seq ${limits.commandProcessesMax + 1}); do sleep 1 & done`)).err, /fork: .*Resource temporarily unavailable/i)
})

test('commandTimeoutMsDefault: what says nothing about its time has so much', async (t) => {
  const { call } = await commandToolSession(t)
  const planned = await call('run_command', { command: 'true' })
  if (planned.ok) t.match(planned.plan.preview.notes.join('\n'), new RegExp(`Limits: ${limits.commandTimeoutMsDefault} ms`))
  else t.match(planned, { code: 'sandbox_unavailable' })
})

test('outputFeedLength: of what comes between two pieces those who watch see so much, and are told of the rest', (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => { mock.timers.reset() })
  const pieces: string[] = []
  const feed = new OutputFeed((text) => { pieces.push(text) })
  feed.add('stdout', Buffer.from('x'.repeat(limits.outputFeedLength)))
  mock.timers.tick(limits.outputFeedMs)
  feed.add('stdout', Buffer.from('y'.repeat(limits.outputFeedLength + 1)))
  mock.timers.tick(limits.outputFeedMs)
  t.same(pieces, ['x'.repeat(limits.outputFeedLength), `${'y'.repeat(limits.outputFeedLength)}\n[… 1 characters not shown …]\n`])
  t.end()
})

test('statusBytesMax: what the sandbox tells beyond it is not kept', async (t) => {
  const told = async (before: number) => {
    const stream = new PassThrough()
    const progress = new SandboxProgress(stream)
    stream.write(' '.repeat(before))
    stream.end('{"exit-code": 3}')
    await progress.ended
    return progress.exitCode
  }
  t.equal(await told(limits.statusBytesMax - 1), 3)
  t.equal(await told(limits.statusBytesMax), null)
})
