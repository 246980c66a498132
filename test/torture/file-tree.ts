import type { PlannedToolCall } from '../support/plan-model.ts'

/** A workspace as it should be: paths of files with their content, and the directories that are known to be there. */
export class FileTree {
  readonly files = new Map<string, string>()
  readonly directories = new Set<string>()

  /** Null: done. Otherwise why the call cannot do anything here, and nothing has changed. */
  apply ({ tool, arguments: args }: PlannedToolCall): string | null {
    switch (tool) {
      case 'write_file': return this.#write(String(args['path']), String(args['content']))
      case 'edit_file': return this.#edit(String(args['path']), args['edits'] as ReadonlyArray<{ oldText: string, newText: string }>) // as plans.ts makes them
      case 'move_file': return this.#move(String(args['from']), String(args['to']))
      case 'delete_file': return this.#delete(String(args['path']))
      case 'read_file': return this.files.has(String(args['path'])) ? null : 'not there'
      case 'list_dir': return null
      default: return `there is no tool ${tool}`
    }
  }

  copy (): FileTree {
    const tree = new FileTree()
    for (const [path, content] of this.files) tree.files.set(path, content)
    for (const path of this.directories) tree.directories.add(path)
    return tree
  }

  #write (path: string, content: string): string | null {
    this.#makeParents(path)
    this.files.set(path, content)
    return null
  }

  #edit (path: string, edits: ReadonlyArray<{ oldText: string, newText: string }>): string | null {
    let content = this.files.get(path)
    if (content === undefined) return 'not there'
    for (const { oldText, newText } of edits) {
      const parts: string[] = content.split(oldText)
      if (parts.length !== 2) return `the text is there ${parts.length - 1} times`
      content = parts.join(newText)
    }
    this.files.set(path, content)
    return null
  }

  #move (from: string, to: string): string | null {
    if (this.files.has(to) || this.directories.has(to)) return 'the target is taken'
    if (to.startsWith(`${from}/`)) return 'into itself'
    if (!this.files.has(from) && !this.directories.has(from)) return 'not there'
    this.#makeParents(to)
    for (const [path, content] of [...this.files]) {
      if (!isAt(path, from)) continue
      this.files.delete(path)
      this.files.set(to + path.slice(from.length), content)
    }
    for (const path of [...this.directories]) {
      if (!isAt(path, from)) continue
      this.directories.delete(path)
      this.directories.add(to + path.slice(from.length))
    }
    return null
  }

  #delete (path: string): string | null {
    if (!this.files.has(path) && !this.directories.has(path)) return 'not there'
    for (const file of [...this.files.keys()]) if (isAt(file, path)) this.files.delete(file)
    for (const directory of [...this.directories]) if (isAt(directory, path)) this.directories.delete(directory)
    return null
  }

  #makeParents (path: string): void {
    const names = path.split('/').slice(0, -1)
    for (const index of names.keys()) this.directories.add(names.slice(0, index + 1).join('/'))
  }
}

function isAt (path: string, place: string): boolean { return path === place || path.startsWith(`${place}/`) }
