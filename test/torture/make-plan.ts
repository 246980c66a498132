import type { MessagePlan, PlannedToolCall } from '../support/plan-model.ts'
import type { FileTree } from './file-tree.ts'
import type { Random } from './random.ts'

const stepsMax = 3
const callsMax = 3
const longContent = 60_000 // of several writes of the kernel: half of it would show
const folders = ['', 'd0/', 'd1/', 'd2/e/'] as const
const names = ['a.txt', 'b.txt', 'c.txt'] as const

/** Calls that make sense on `tree`, if all of them are done: it is changed as if they were. Some cannot be done, on purpose. */
export function makePlan (random: Random, talk: string, token: string, tree: FileTree): MessagePlan {
  let made = 0
  const steps = Array.from({ length: random.integer(1, stepsMax) }, () =>
    Array.from({ length: random.integer(1, callsMax) }, () => {
      const call = makeCall(random, `${token}.${++made}`, tree)
      tree.apply(call)
      return call
    }))
  return { talk, token, steps }
}

/** A file ends with a line `END`, before which edits put theirs: done twice, the line is there twice. */
export function contentOf (token: string, long: boolean): string {
  return `${token}\n${long ? `${token} `.repeat(Math.ceil(longContent / (token.length + 1))) : ''}\nEND\n`
}

function makeCall (random: Random, token: string, tree: FileTree): PlannedToolCall {
  const kind = random.pick(['write', 'write', 'write', 'edit', 'edit', 'edit', 'move', 'move', 'delete', 'move_folder', 'delete_folder', 'read', 'list'])
  const path = random.chance(0.9) ? someOf(random, [...tree.files.keys()]) : anyPath(random)
  const folder = someOf(random, [...tree.directories])
  switch (kind) {
    case 'edit': if (path !== null) return call('edit_file', { path, edits: [{ oldText: 'END\n', newText: `${token}\nEND\n` }] }); break
    case 'move': if (path !== null) return call('move_file', { from: path, to: random.chance(0.8) ? `${random.pick(folders)}m-${token}.txt` : anyPath(random) }); break
    case 'delete': if (path !== null) return call('delete_file', { path }); break
    case 'move_folder': if (folder !== null) return call('move_file', { from: folder, to: `m-${token}` }); break
    case 'delete_folder': if (folder !== null) return call('delete_file', { path: folder, recursive: true }); break
    case 'read': if (path !== null) return call('read_file', { path }); break
    case 'list': return call('list_dir', {})
    case 'write': break
    default: kind satisfies never
  }
  return call('write_file', { path: anyPath(random), content: contentOf(token, random.chance(0.2)) })
}

function call (tool: string, args: Record<string, unknown>): PlannedToolCall { return { tool, arguments: args } }

function anyPath (random: Random): string { return random.pick(folders) + random.pick(names) }

function someOf (random: Random, from: readonly string[]): string | null {
  return from.length === 0 ? null : from[random.integer(0, from.length - 1)] ?? null
}
