import { Type, type Static } from '@sinclair/typebox'
import { directoryCursorLengthMax, directoryPageDefault, directoryPageMax } from '../limits.ts'
import { Digest, nullable, oneOf, Timestamp } from './common.ts'

const Mode = Type.Integer({ minimum: 0, maximum: 0o7777, description: 'Permission bits' })

export const FileEntry = Type.Object({
  name: Type.String(),
  type: oneOf(['file', 'directory', 'symlink', 'other']),
  size: Type.Integer({ minimum: 0, description: 'Bytes' }),
  mode: Mode,
  mtime: Timestamp,
  target: Type.Optional(Type.String({ description: 'Of a symlink: where it leads' })),
  addressable: Type.Boolean({ description: 'False: the name is not UTF-8, `name` only resembles it' })
}, { title: 'FileEntry' })
export type FileEntry = Static<typeof FileEntry>

export const DirectoryListing = Type.Object({
  path: Type.String({ description: 'Relative to the workspace; empty: the workspace itself' }),
  entries: Type.Array(FileEntry),
  nextCursor: nullable(Type.String({ description: 'Give it as ?cursor= to go on; null: that was all' }))
}, { title: 'DirectoryListing' })
export type DirectoryListing = Static<typeof DirectoryListing>

/** What a PUT has made. */
export const PutFile = Type.Object({
  path: Type.String(),
  type: oneOf(['file', 'directory']),
  size: Type.Integer({ minimum: 0 }),
  sha256: nullable(Digest)
}, { title: 'PutFile' })
export type PutFile = Static<typeof PutFile>

export const PutArchive = Type.Object({
  files: Type.Integer({ minimum: 0, description: 'Regular files in it' }),
  bytes: Type.Integer({ minimum: 0, description: 'Of these files together' }),
  baseline: Type.Boolean({ description: 'The diff counts from here: no run had started' })
}, { title: 'PutArchive' })
export type PutArchive = Static<typeof PutArchive>

const GitMode = oneOf(['100644', '100755', '120000'])

export const FileChange = Type.Object({
  path: Type.String(),
  change: oneOf(['added', 'modified', 'deleted']),
  oldMode: nullable(GitMode),
  newMode: nullable(GitMode),
  binary: Type.Boolean(),
  added: nullable(Type.Integer({ minimum: 0, description: 'Lines; null of binary files' })),
  removed: nullable(Type.Integer({ minimum: 0 }))
}, { title: 'FileChange' })
export type FileChange = Static<typeof FileChange>

export const FileChangeList = Type.Object({ items: Type.Array(FileChange) }, { title: 'FileChangeList' })

const sessionId = Type.String({ minLength: 1, maxLength: 128 })

/** Fastify calls what stands for the rest of a path `*`. */
export const FileParams = Type.Object({ sessionId, '*': Type.String({ description: 'Path in the workspace, percent-encoded; slashes may stand as they are' }) })

export const FileQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: directoryPageMax, default: directoryPageDefault, description: 'Of a directory: entries on a page' }),
  cursor: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]+$', maxLength: directoryCursorLengthMax, description: 'Of a directory: `nextCursor` of the page before' }))
}, { additionalProperties: false })

export const DeleteFileQuery = Type.Object({
  recursive: Type.Boolean({ default: false, description: 'Needed for a directory that is not empty' })
}, { additionalProperties: false })

export const ConditionHeaders = Type.Object({
  'if-match': Type.Optional(Type.String({ description: 'ETags: only if the file is one of these; `*`: only if it is there' })),
  'if-none-match': Type.Optional(Type.String({ description: '`*`: only if nothing is there; for GET also ETags, answered 304' }))
})
