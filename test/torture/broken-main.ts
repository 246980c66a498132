import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import type { ServerResponse } from 'node:http'
import type { Parts } from '../../src/app.ts'
import { compose, type CrashHooks } from '../../src/compose.ts'
import { serve } from '../../src/serve.ts'
import type { EventLog } from '../../src/store/event-log.ts'
import { fileTools } from '../../src/tools/table.ts'
import type { Tool } from '../../src/tools/tool.ts'
import { crashHooks } from '../support/crash-hooks.ts'

/** Servers with one fault each, named by `BROKEN`: a checker that finds none in them finds nothing. */
const killAfterMs = 50

function changed (name: string, change: (tool: Tool) => Tool): readonly Tool[] {
  return fileTools.map((tool) => tool.name === name ? change(tool) : tool)
}

/** Tells that a run has ended before that is on the disk, and once the power fails in between. */
function acknowledgesEarly (log: EventLog): EventLog {
  const marker = path.join(process.env['DATA_DIR'] ?? '', 'failed-once')
  return {
    ...log,
    append: async (append) => {
      if (!append.events.some(({ type }) => type === 'run_end') || existsSync(marker)) return await log.append(append)
      setTimeout(() => {
        writeFileSync(marker, '')
        process.kill(process.pid, 'SIGKILL')
      }, killAfterMs)
      return { status: 'appended' }
    }
  }
}

function dropsEvents (parts: Parts): Parts {
  return {
    ...parts,
    routes: (app) => {
      app.addHook('onRequest', async (_request, reply) => { dropFrames(reply.raw) })
      parts.routes(app)
    }
  }
}

function dropFrames (response: ServerResponse): void {
  const write = response.write.bind(response)
  const dropping = (chunk: unknown): boolean => write(String(chunk).replace(/id: (\d+)\nevent: .*\ndata: .*\n\n/g, (frame: string, seq: string) => Number(seq) % 5 === 0 ? '' : frame))
  response.write = dropping
}

const broken: Readonly<Record<string, CrashHooks>> = {
  acknowledges_early: { wrapLog: acknowledgesEarly },
  drops_events: {},
  writes_twice: {
    tools: changed('write_file', (tool) => ({
      ...tool,
      execute: async (plan, context) => {
        const result = await tool.execute(plan, context)
        const { workspace } = context
        for (const [name, bytes] of plan.contents) {
          const path = workspace.parse(name)
          await workspace.write(path, Buffer.concat([bytes, bytes]), { before: await workspace.state(path), stageName: context.callId })
        }
        return result
      }
    }))
  },
  acts_before_it_is_asked: {
    tools: changed('write_file', (tool) => ({
      ...tool,
      prepare: async (args, context) => {
        const { workspace } = context
        await workspace.write(workspace.parse('draft.txt'), Buffer.from('draft'), { before: await workspace.state(workspace.parse('draft.txt')), stageName: 'draft' })
        return await tool.prepare(args, context)
      }
    }))
  },
  asks_nobody: { tools: fileTools.map((tool) => ({ ...tool, dangerous: false })) },
  recognises_nothing: { tools: fileTools.map((tool) => ({ ...tool, recognise: () => Promise.resolve({ status: 'unknown' }) })) }
}

const name = process.env['BROKEN'] ?? ''
const hooks = broken[name]
if (hooks === undefined) throw new Error(`BROKEN: there is no fault ${name}`)
await serve(async (config, logger, onFatal) => {
  const parts = await compose(config, logger, onFatal, { ...crashHooks(process.env['CRASH_AT']), ...hooks })
  return name === 'drops_events' ? dropsEvents(parts) : parts
}, process.env)
