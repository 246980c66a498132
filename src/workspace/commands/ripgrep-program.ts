import { access, readFile } from 'node:fs/promises'
import { ignoreFilePath } from './command-runner.ts'
import type { SandboxFile } from './profile.ts'

/** Where it is inside. */
export const ripgrepPath = '/opt/rg'

/** Ripgrep's program on the host. It is five megabytes, read by the first search. */
export class RipgrepProgram {
  readonly #file: string
  #content: Promise<Buffer> | null = null

  constructor (file: string) {
    this.#file = file
  }

  /** What a search needs inside. */
  async files (ignoreFile: string): Promise<SandboxFile[]> {
    this.#content ??= readFile(this.#file)
    return [
      { path: ripgrepPath, content: await this.#content, executable: true },
      { path: ignoreFilePath, content: Buffer.from(ignoreFile) }
    ]
  }
}

/** Null: the package has no program for this machine. */
export async function findRipgrep (): Promise<RipgrepProgram | null> {
  try {
    const { rgPath } = await import('@vscode/ripgrep')
    await access(rgPath)
    return new RipgrepProgram(rgPath)
  } catch {
    return null
  }
}
