import { Type, type Static } from '@sinclair/typebox'
import { Digest, nullable } from './common.ts'

/** What is at a path: the facts by which an effect is recognised before and after it happens. */
export const PathState = Type.Union([
  Type.Object({ type: Type.Literal('absent') }),
  Type.Object({ type: Type.Literal('file'), sha256: Digest, mode: Type.Integer({ description: 'Permission bits' }) }),
  Type.Object({ type: Type.Literal('symlink'), sha256: Digest }),
  Type.Object({
    type: Type.Literal('directory'),
    inode: Type.String(),
    manifest: Digest
  })
], { title: 'PathState' })
export type PathState = Static<typeof PathState>

export const Effect = Type.Object({
  path: Type.String(), before: PathState, after: PathState
}, { title: 'Effect' })
export type Effect = Static<typeof Effect>

/**
 * What a person is shown before a decision. Every text has gone through `visible()`: control,
 * bidi and invisible characters stand as marks, and `unusualCharacters` says that there were some.
 */
export const Preview = Type.Object({
  summary: Type.String({ description: 'One line: what would happen' }),
  paths: Type.Array(Type.String(), { description: 'What it touches, relative to the workspace' }),
  diff: nullable(Type.String({ description: 'Unified diff of a write or an edit' })),
  content: nullable(Type.String({ description: 'The beginning of new content' })),
  command: nullable(Type.String({ description: 'The command, whole' })),
  notes: Type.Array(Type.String(), { description: 'What else a person should know: entries removed, directory, limits' }),
  truncated: Type.Boolean({ description: 'Something is cut; the whole is at GET /approvals/:callId' }),
  unusualCharacters: Type.Boolean({ description: 'The texts contain characters that a reader would not see' })
}, { title: 'Preview' })
export type Preview = Static<typeof Preview>
