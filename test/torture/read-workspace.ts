import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { FileTree } from './file-tree.ts'

/** What lies in a directory; nothing if it is not there. */
export async function readWorkspace (directory: string): Promise<FileTree> {
  const tree = new FileTree()
  const entries = await readdir(directory, { withFileTypes: true, recursive: true }).catch(() => [])
  for (const entry of entries) {
    const place = path.join(entry.parentPath, entry.name)
    const name = path.relative(directory, place)
    if (entry.isDirectory()) tree.directories.add(name)
    else tree.files.set(name, await readFile(place, 'utf8'))
  }
  return tree
}
