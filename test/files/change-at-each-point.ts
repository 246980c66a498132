import { mkdir, rm, writeFile } from 'node:fs/promises'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import { crashMain } from '../restart/setup.ts'
import { startServer } from '../support/server.ts'
import { snapshot } from '../workspace/snapshot.ts'
import { newSession } from './file-server.ts'

export interface FileRequest { readonly name: string, readonly method: 'PUT' | 'DELETE', readonly file: string, readonly query?: string }

export const requests = {
  new: { name: 'a new file is put', method: 'PUT', file: 'n/new' },
  replaced: { name: 'a file is replaced', method: 'PUT', file: 'file' },
  deleted: { name: 'a file is deleted', method: 'DELETE', file: 'file' },
  tree: { name: 'a directory is deleted', method: 'DELETE', file: 'dir', query: '?recursive=true' },
  made: { name: 'a directory is made', method: 'PUT', file: 'made/' }
} as const satisfies Record<string, FileRequest>

const before = { file: 'old', 'dir/a': 'a', 'dir/b/c': 'c' }

/**
 * Makes each request of a server that is killed at its point: one server, which recovers from one case and dies in the next.
 * Whatever the point, the log tells a change once if it is on the disk, and not at all if it is not.
 */
export async function changeAtEachPoint (t: Test, cases: ReadonlyArray<readonly [FileRequest, string]>): Promise<void> {
  const armed = join(t.testdir({}), 'armed')
  const server = await startServer(t, { entry: crashMain, env: { LOG_LEVEL: 'error', CRASH_IF: armed, CRASH_AT: cases[0]?.[1] ?? '' } })
  for (const [index, [{ name, method, file, query = '' }, point]] of cases.entries()) {
    await t.test(`${name}, killed at ${point}`, async (t) => {
      const { session, base, directory, events } = await newSession(server)
      for (const [path, content] of Object.entries(before)) {
        await mkdir(dirname(join(directory, path)), { recursive: true })
        await writeFile(join(directory, path), content)
      }
      const state = () => JSON.stringify(snapshot(directory))
      const untouched = state()
      const ask = async () => await server.request(method, `${base}/${file}${query}`, method === 'PUT' ? { body: file.endsWith('/') ? '' : 'new' } : {})
      await writeFile(armed, '')
      const asked = ask().catch(() => null)
      t.equal((await server.exit()).signal, 'SIGKILL', 'it was killed at the point')
      await asked
      await rm(armed)
      await server.restart({ CRASH_AT: cases[index + 1]?.[1] ?? '' })
      const made = !['change_noted', 'before_rename'].includes(point)
      t.equal(state() !== untouched, made || (point === 'before_rename' && file.startsWith('n/')), 'what a crash before the change leaves is an empty folder at most')
      const told = () => events(session).then((log) => log.filter(({ type }) => type === 'files_changed'))
      t.strictSame((await told()).map((event) => event.type === 'files_changed' ? [event.how, event.paths, event.by] : []),
        made ? [[method === 'PUT' ? 'put' : 'delete', [file.replace(/\/$/, '')], { kind: 'key' }]] : [])
      t.match(await ask(), { status: made ? (method === 'PUT' ? 200 : 404) : method === 'DELETE' ? 204 : file === 'file' ? 200 : 201 }, 'asked again it is done')
      t.equal((await told()).length, 1, 'and told once')
      for (const place of ['incoming', 'staging']) t.same(left(join(server.dataDir, place, session)), [], `${place} is empty`)
    })
  }
  t.equal(server.stderr(), '', 'no error was logged')
}

function left (directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}
