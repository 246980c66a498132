import { ToolFailure } from '../../errors.ts'
import { gitignoreBytesMax } from '../../limits.ts'
import type { Workspace } from '../workspace.ts'
import { IgnoreFile } from '../search/gitignore.ts'

/** Which paths of a workspace git would leave out: by `.gitignore` in any directory, and git's own. */
export class Ignored {
  readonly #workspace: Workspace
  /** By directory, the workspace itself is `''`. */
  readonly #files = new Map<string, IgnoreFile | null>()
  readonly #directories = new Set<string>()

  constructor (workspace: Workspace) {
    this.#workspace = workspace
  }

  /** Directories must be asked before what is in them. */
  async has (path: string, directory: boolean): Promise<boolean> {
    const parent = parentOf(path)
    const ignored = this.#directories.has(parent) || await this.#byRules(path, directory)
    if (ignored && directory) this.#directories.add(path)
    return ignored
  }

  /** The nearest file that says something decides. */
  async #byRules (path: string, directory: boolean): Promise<boolean> {
    for (let folder: string | null = parentOf(path); folder !== null; folder = folder === '' ? null : parentOf(folder)) {
      const verdict = (await this.#fileOf(folder))?.ignores(folder === '' ? path : path.slice(folder.length + 1), directory)
      if (verdict !== undefined && verdict !== null) return verdict
    }
    return false
  }

  async #fileOf (folder: string): Promise<IgnoreFile | null> {
    const known = this.#files.get(folder)
    if (known !== undefined) return known
    const file = await this.#read(folder)
    this.#files.set(folder, file)
    return file
  }

  async #read (folder: string): Promise<IgnoreFile | null> {
    try {
      const path = this.#workspace.parse(folder === '' ? '.gitignore' : `${folder}/.gitignore`)
      return new IgnoreFile((await this.#workspace.read(path, { maxBytes: gitignoreBytesMax })).bytes.toString())
    } catch (error) {
      if (error instanceof ToolFailure) return null // none, or a link, which git does not follow either
      throw error
    }
  }
}

/** Names that no patch may touch: git refuses one that does. */
export function isGitsOwn (path: string): boolean {
  return path.split('/').some((name) => /^(\.git|git~1)[. ]*$/i.test(name))
}

function parentOf (path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}
