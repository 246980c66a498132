import { createHash } from 'node:crypto'
import { ToolFailure } from '../../errors.ts'
import { diffContextLines, diffTextBytesMax } from '../../limits.ts'
import { quote } from '../failures.ts'
import type { FileChange, GitMode, Side } from './compare.ts'
import { literal } from './git-binary.ts'
import { hunks, lineChanges, splitLines, type LineRun } from './line-changes.ts'
import { quotePath } from './quote-path.ts'

const noBlob = '0'.repeat(40)

/** One change in words and numbers. */
export interface ChangeSummary {
  readonly path: string
  readonly change: 'added' | 'modified' | 'deleted'
  /** Null where the file is not. */
  readonly oldMode: GitMode | null
  readonly newMode: GitMode | null
  readonly binary: boolean
  /** Lines; null of binary files. */
  readonly added: number | null
  readonly removed: number | null
}

/** The patch of one change, as `git diff --binary --full-index` would make it; renames are told as they are, a file less and one more. */
export async function * gitPatch (change: FileChange): AsyncGenerator<Buffer, void, undefined> {
  for (const part of steps(change)) yield * patchOf(part)
}

export async function summarise (change: FileChange): Promise<ChangeSummary> {
  const { path, before, after } = change
  const texts = await textsOf(change)
  const count = (kind: LineRun['kind'], runs: LineRun[]) => runs.filter((run) => run.kind === kind).reduce((sum, { lines }) => sum + lines.length, 0)
  const runs = texts === null ? null : lineChanges(splitLines(texts.before), splitLines(texts.after))
  return {
    path,
    change: before === null ? 'added' : after === null ? 'deleted' : 'modified',
    oldMode: before?.mode ?? null,
    newMode: after?.mode ?? null,
    binary: runs === null,
    added: runs === null ? null : count('+', runs),
    removed: runs === null ? null : count('-', runs)
  }
}

/** A file that became a link, or the other way: git takes the one away and makes the other. */
function steps ({ path, before, after }: FileChange): FileChange[] {
  const isLink = (side: Side) => side.mode === '120000'
  if (before === null || after === null || isLink(before) === isLink(after)) return [{ path, before, after }]
  return [{ path, before, after: null }, { path, before: null, after }]
}

async function * patchOf (change: FileChange): AsyncGenerator<Buffer, void, undefined> {
  const { path, before, after } = change
  const texts = await textsOf(change)
  const oldBlob = texts === null ? await blobOf(path, before) : textBlob(before, texts.before)
  const newBlob = texts === null ? await blobOf(path, after) : textBlob(after, texts.after)
  yield Buffer.from(headerOf(change, oldBlob, newBlob))
  if (oldBlob === newBlob) return
  if (texts === null) {
    yield Buffer.from('GIT binary patch\n')
    for (const [side, blob] of [[after, newBlob], [before, oldBlob]] as const) {
      for await (const text of literal(side === null ? null : checked(path, side, blob))) yield Buffer.from(text)
    }
    return
  }
  if (texts.before === texts.after) return // one of them is not there, and the other is empty
  const name = (prefix: string, side: Side | null) => side === null ? '/dev/null' : terminated(quotePath(`${prefix}/${path}`))
  yield Buffer.from(`--- ${name('a', before)}\n+++ ${name('b', after)}\n`)
  for (const hunk of hunks(lineChanges(splitLines(texts.before), splitLines(texts.after)), diffContextLines)) yield Buffer.from(hunk, 'latin1')
}

function headerOf ({ path, before, after }: FileChange, oldBlob: string, newBlob: string): string {
  const lines = [`diff --git ${quotePath(`a/${path}`)} ${quotePath(`b/${path}`)}`]
  if (before === null && after !== null) lines.push(`new file mode ${after.mode}`)
  if (after === null && before !== null) lines.push(`deleted file mode ${before.mode}`)
  if (before !== null && after !== null && before.mode !== after.mode) lines.push(`old mode ${before.mode}`, `new mode ${after.mode}`)
  if (oldBlob !== newBlob) lines.push(`index ${oldBlob}..${newBlob}${before !== null && before.mode === after?.mode ? ` ${before.mode}` : ''}`)
  return `${lines.join('\n')}\n`
}

/** A bare name with a space would end at it. */
function terminated (name: string): string {
  return name.includes(' ') && !name.startsWith('"') ? `${name}\t` : name
}

/** Both sides, byte for byte, a missing one as empty. Null: one of them is no text. */
async function textsOf ({ before, after }: FileChange): Promise<{ before: string, after: string } | null> {
  const old = await textOf(before)
  const fresh = old === null ? null : await textOf(after)
  return old === null || fresh === null ? null : { before: old, after: fresh }
}

/** Latin-1 keeps every byte, in whatever encoding the text is. A NUL makes it binary, as for git. */
async function textOf (side: Side | null): Promise<string | null> {
  if (side === null) return ''
  if (side.size > diffTextBytesMax) return null
  const pieces: Buffer[] = []
  for await (const piece of side.bytes()) {
    if (piece.includes(0)) return null
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('latin1')
}

function textBlob (side: Side | null, text: string): string {
  return side === null ? noBlob : createHash('sha1').update(`blob ${text.length}\0`).update(text, 'latin1').digest('hex')
}

async function blobOf (path: string, side: Side | null): Promise<string> {
  if (side === null) return noBlob
  const hash = createHash('sha1').update(`blob ${side.size}\0`)
  let size = 0
  for await (const piece of side.bytes()) {
    hash.update(piece)
    size += piece.length
  }
  if (size !== side.size) throw changing(path)
  return hash.digest('hex')
}

/** The side again; its end fails if it is not what was hashed, so that no broken patch looks whole. */
function checked (path: string, side: Side, blob: string): Side {
  return {
    ...side,
    bytes: async function * () {
      const hash = createHash('sha1').update(`blob ${side.size}\0`)
      for await (const piece of side.bytes()) {
        hash.update(piece)
        yield piece
      }
      if (hash.digest('hex') !== blob) throw changing(path)
    }
  }
}

function changing (path: string): ToolFailure {
  return new ToolFailure('changed', `${quote(path)} was changed while the patch was made.`, 'Ask again when nothing runs.')
}
