import { ToolFailure } from '../errors.ts'
import { editBytesMax, newContentShown, newFileMode, resultDiffLengthMax } from '../limits.ts'
import type { Effect } from '../protocol/plan.ts'
import { quote } from '../workspace/failures.ts'
import { sameState } from '../workspace/state.ts'
import { sha256 } from './digest.ts'
import type { Located } from './locate.ts'
import { cutText } from './preview.ts'
import { seenAfter } from './recognise.ts'
import { decodeText, type FileNow } from './text-file.ts'
import type { ExecuteContext, Plan, PlanDraft, ToolResult } from './tool.ts'
import { unifiedDiff } from './unified-diff.ts'

/** The plan of a call that gives one file new content. */
export function planContent (located: Located, now: FileNow, bytes: Uint8Array, summary: string): PlanDraft {
  const { path } = located
  const mode = now.state.type === 'file' ? now.state.mode : newFileMode
  const before = now.bytes === null ? null : decodeText(now.bytes)
  const after = decodeText(bytes)
  const readable = after !== null && (before !== null || now.bytes === null)
  return {
    paths: located.paths,
    effects: [{ path, before: now.state, after: { type: 'file', sha256: sha256(bytes), mode } }],
    contents: new Map([[path, bytes]]),
    preview: {
      summary,
      diff: readable ? unifiedDiff(path, before, after) || null : null,
      content: now.bytes === null && after !== null ? cutText(after, newContentShown) : null,
      notes: [...located.notes, ...notesOf(readable, before === after)]
    }
  }
}

function notesOf (readable: boolean, same: boolean): string[] {
  if (!readable) return ['No diff: the old or the new content is not UTF-8 text.']
  return same ? ['The content stays as it is.'] : []
}

/** The one effect of such a plan. */
export function contentEffect (plan: Plan): { effect: Effect, bytes: Uint8Array } {
  const effect = plan.effects[0]
  const bytes = effect === undefined ? undefined : plan.contents.get(effect.path)
  if (effect === undefined || bytes === undefined) throw new ToolFailure('internal', 'The plan has no content to write.')
  return { effect, bytes }
}

/**
 * Writes the content of a plan if its `before` holds, then reads it back and compares. `told` is for the model.
 * @throws ToolFailure changed, verification_failed
 */
export async function writeContent (plan: Plan, context: ExecuteContext, told: string): Promise<ToolResult> {
  const { effect, bytes } = contentEffect(plan)
  const { workspace } = context
  const path = workspace.parse(effect.path)
  const diff = await diffOf(plan, context)
  await workspace.write(path, bytes, { before: effect.before, stageName: context.callId })
  const state = await workspace.state(path)
  if (!sameState(state, effect.after)) {
    throw new ToolFailure('verification_failed', `${quote(path)} was written, but what is there now is not what was written.`, 'Read it again before you go on.')
  }
  return {
    content: told,
    diff: diff === null ? null : cutAtLine(diff),
    verified: true,
    truncated: diff !== null && diff.length > resultDiffLengthMax,
    seen: seenAfter(effect)
  }
}

/** For the log: of the bytes themselves, where the preview has marks for people. */
async function diffOf (plan: Plan, context: ExecuteContext): Promise<string | null> {
  const { effect, bytes } = contentEffect(plan)
  const path = context.workspace.parse(effect.path)
  const after = decodeText(bytes)
  if (after === null || plan.preview.diff === null) return null
  if (effect.before.type === 'absent') return unifiedDiff(path, null, after)
  const before = decodeText((await context.workspace.read(path, { maxBytes: editBytesMax })).bytes)
  return before === null ? null : unifiedDiff(path, before, after)
}

function cutAtLine (diff: string): string {
  if (diff.length <= resultDiffLengthMax) return diff
  const cut = cutText(diff, resultDiffLengthMax)
  return cut.slice(0, cut.lastIndexOf('\n') + 1)
}
