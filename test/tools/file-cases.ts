import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A line of the shared cases, of the kind `file_tool`. */
export interface FileCase {
  readonly id: string
  readonly title: string
  readonly input: {
    readonly files: readonly CaseFile[]
    readonly outside?: readonly CaseFile[]
    readonly before?: readonly CaseCall[]
    readonly external_change?: readonly CaseFile[]
    readonly call: CaseCall
    readonly workspace_dir?: string
  }
  readonly expect: Expectation & { readonly level: 'must' | 'should', readonly any_of?: readonly Expectation[] }
}

export interface CaseFile {
  readonly path: string
  readonly utf8?: string
  readonly b64?: string
  readonly mode?: string
  readonly symlink?: string
  readonly dir?: boolean
  readonly gen?: { readonly prefix?: string, readonly repeat: string, readonly times: number, readonly suffix?: string }
}

export interface CaseCall { readonly tool: string, readonly args: Record<string, unknown> }

export interface Expectation {
  readonly ok?: boolean
  readonly code?: string
  readonly any_code?: readonly string[]
  readonly message_contains?: readonly string[]
  readonly message_contains_any?: readonly string[]
  readonly message_not_contains?: readonly string[]
  readonly content_contains?: readonly string[]
  readonly content_not_contains?: readonly string[]
  readonly files_after?: readonly CaseFile[]
  readonly files_unchanged?: boolean
  readonly outside_after?: readonly CaseFile[]
  readonly max_result_bytes?: number
}

/** Lines of test/fixtures/cases; lines end with LF only. */
export function loadCases<T> (name: string): T[] {
  const file = new URL(`../../../test/fixtures/cases/${name}`, import.meta.url)
  return readFileSync(file, 'utf8').split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as T) // the fixture's own shape
}

/** The neutral names of the cases in this project's words. */
export function ourCode (tool: string, code: string): string {
  if (code === 'not_found' && tool === 'edit_file') return 'no_match'
  const names: Record<string, string> = {
    invalid_args: 'invalid_arguments',
    out_of_range: 'invalid_arguments',
    exists: 'already_exists',
    stale: 'changed',
    binary: 'not_text',
    not_utf8: 'not_text',
    unsupported_encoding: 'not_text'
  }
  return names[code] ?? code
}

/** A link that leads out has a code of its own here. */
export function codeMatches (tool: string, wanted: string, code: string): boolean {
  return ourCode(tool, wanted) === code || (wanted === 'outside_workspace' && code === 'symlink')
}

export function ourWord (word: string): string {
  return word === 'old_text' ? 'oldText' : word
}

export function ourArguments ({ tool, args }: CaseCall): Record<string, unknown> {
  if (tool !== 'edit_file') return args
  const { path, old_text: oldText, new_text: newText, replace_all: replaceAll } = args
  return { path, edits: [{ oldText, newText, ...(replaceAll === undefined ? {} : { replaceAll }) }] }
}

export function bytesOf (file: CaseFile): Buffer {
  if (file.b64 !== undefined) return Buffer.from(file.b64, 'base64')
  if (file.gen !== undefined) return Buffer.from((file.gen.prefix ?? '') + file.gen.repeat.repeat(file.gen.times) + (file.gen.suffix ?? ''))
  return Buffer.from(file.utf8 ?? '')
}

export function place (directory: string, files: readonly CaseFile[], outside: string): void {
  for (const file of files) {
    const path = join(directory, file.path)
    mkdirSync(dirname(path), { recursive: true })
    if (file.dir === true) mkdirSync(path, { recursive: true })
    else if (file.symlink !== undefined) symlinkSync(file.symlink.replace('{outside}', outside), path)
    else {
      writeFileSync(path, bytesOf(file))
      if (file.mode !== undefined) chmodSync(path, Number.parseInt(file.mode, 8))
    }
  }
}
