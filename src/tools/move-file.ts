import { Type } from '@sinclair/typebox'
import { ToolFailure } from '../errors.ts'
import type { Effect } from '../protocol/plan.ts'
import { quote } from '../workspace/failures.ts'
import { isWithin } from '../workspace/paths.ts'
import { sameState } from '../workspace/state.ts'
import { defineTool } from './define-tool.ts'
import { locate, notFound } from './locate.ts'
import { recogniseByEffects, recognisedResult, seenAfter } from './recognise.ts'
import type { ExecuteContext, Recognised } from './tool.ts'

const name = 'move_file'

export const moveFile = defineTool({
  name,
  description: 'Moves or renames a file or directory. Never overwrites; parent directories of the target are created.',
  parameters: Type.Object({
    from: Type.String({ description: 'Path relative to the workspace' }),
    to: Type.String({ description: 'The new path, not the directory to move into' })
  }),
  dangerous: true,
  async prepare (args, { workspace }) {
    const from = await locate(workspace, args.from, { last: false })
    const to = await locate(workspace, args.to, { last: false })
    if (from.path === '' || to.path === '') throw new ToolFailure('invalid_path', 'The workspace itself cannot be moved or replaced.')
    if (isWithin(to.path, from.path)) throw new ToolFailure('invalid_path', `${quote(from.path)} cannot be moved into itself.`)
    const before = await workspace.state(from.path)
    if (before.type === 'absent') throw await notFound(workspace, from.path)
    const target = await workspace.state(to.path)
    if (target.type !== 'absent') throw new ToolFailure('already_exists', `Something is at ${quote(to.path)} already.`, 'Choose another name, or delete it first.')
    const absent = { type: 'absent' } as const
    return {
      paths: [...new Set([...from.paths, ...to.paths])],
      effects: [{ path: from.path, before, after: absent }, { path: to.path, before: absent, after: before }],
      preview: { summary: `Move ${from.path} to ${to.path}`, notes: [...from.notes, ...to.notes, `It is a ${before.type}.`] }
    }
  },
  async execute (_args, plan, context) {
    const { from, to } = sides(plan.effects)
    await move(from, to, context)
    return {
      content: `Moved ${quote(from.path)} to ${quote(to.path)}.`,
      diff: null,
      verified: true,
      truncated: false,
      seen: [...seenAfter(from), ...(knewIt(from, context) ? seenAfter(to) : [])]
    }
  },
  async recognise (_args, effects, context) {
    const { from, to } = sides(effects)
    const found = await byEffects(effects, context)
    return found.status === 'unknown' ? await finish(from, to, context) : found
  }
})

function knewIt ({ path, before }: Effect, context: ExecuteContext): boolean {
  return before.type === 'file' && context.seen(path) === before.sha256
}

/** The placeholder of a directory's move cannot be looked into: no failure, but half done. */
async function byEffects (effects: readonly Effect[], context: ExecuteContext): Promise<Recognised> {
  try {
    return await recogniseByEffects(name, effects, context)
  } catch (error) {
    if (error instanceof ToolFailure) return { status: 'unknown' }
    throw error
  }
}

/** Both names there, or a placeholder at the new one: the workspace knows its own half-done moves and finishes them. */
async function finish (from: Effect, to: Effect, context: ExecuteContext): Promise<Recognised> {
  try {
    await move(from, to, context)
  } catch (error) {
    if (error instanceof ToolFailure) return { status: 'unknown' }
    throw error
  }
  return { status: 'done', result: recognisedResult(name, [from, to]) }
}

async function move (from: Effect, to: Effect, { workspace }: ExecuteContext): Promise<void> {
  const target = workspace.parse(to.path)
  const source = workspace.parse(from.path)
  await workspace.move(source, target, { before: from.before })
  if (!sameState(await workspace.state(target), to.after) || !sameState(await workspace.state(source), from.after)) {
    throw new ToolFailure('verification_failed', `${quote(source)} was moved, but what is there now is not what was moved.`, 'Use list_dir to see what is there.')
  }
}

function sides (effects: readonly Effect[]): { from: Effect, to: Effect } {
  const [from, to] = effects
  if (from === undefined || to === undefined) throw new ToolFailure('internal', 'The plan does not say what to move.')
  return { from, to }
}
