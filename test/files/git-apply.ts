import { execFileSync } from 'node:child_process'
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync, chmodSync } from 'node:fs'
import path from 'node:path'

/** What may stand at a path. */
export type Node = { readonly bytes: Buffer, readonly executable: boolean } | { readonly target: string }
export type Tree = Readonly<Record<string, Node>>

/** Makes a directory hold exactly this; a path that another one needs as a directory is left out. */
export function plant (directory: string, tree: Tree): void {
  for (const name of readdirSync(directory)) if (name !== '.git') rmSync(path.join(directory, name), { recursive: true })
  for (const [name, node] of Object.entries(tree)) {
    const file = path.join(directory, name)
    mkdirSync(path.dirname(file), { recursive: true })
    if ('target' in node) {
      symlinkSync(node.target, file)
    } else {
      writeFileSync(file, node.bytes)
      chmodSync(file, node.executable ? 0o755 : 0o644)
    }
  }
}

/** What git tells apart: content, executable or not, links; no empty directories, and not git's own. */
export function gitView (directory: string, prefix = ''): Record<string, string> {
  const seen: Record<string, string> = {}
  for (const name of readdirSync(directory).sort()) {
    if (name === '.git') continue
    const file = path.join(directory, name)
    const stat = lstatSync(file)
    if (stat.isDirectory()) Object.assign(seen, gitView(file, `${prefix}${name}/`))
    else seen[prefix + name] = stat.isSymbolicLink() ? `-> ${readlinkSync(file)}` : `${(stat.mode & 0o100) === 0 ? '' : 'x '}${readFileSync(file).toString('base64')}`
  }
  return seen
}

/** @throws Error with what git says when it does not take the patch */
export function gitApply (directory: string, patch: Buffer, ...options: string[]): void {
  execFileSync('git', ['apply', '--whitespace=nowarn', ...options, '-'], { cwd: directory, input: patch, stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, GIT_CEILING_DIRECTORIES: path.dirname(directory) } })
}
