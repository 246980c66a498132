import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'

/** Another server works in the data directory. */
export class DataDirInUse extends Error {
  readonly code = 'data_dir_in_use'
  /** Of that server; null when it has only just started. */
  readonly pid: number | null

  constructor (dataDir: string, pid: number | null) {
    const who = pid === null ? 'another server' : `another server (pid ${pid})`
    super(`The data directory ${dataDir} is in use by ${who}. Stop it, or give this one a directory of its own with DATA_DIR.`)
    this.name = 'DataDirInUse'
    this.pid = pid
  }
}

export interface DataDirLock { release (): Promise<void> }

/**
 * Makes the data directory (0700) if it is not there, and claims it for this process until `release`.
 * The claim is an exclusive lock of the operating system on `lock.db`: it dies with the process, however
 * that ends. The pid beside it is only told to people, never trusted.
 * @throws DataDirInUse
 */
export async function lockDataDir (dataDir: string): Promise<DataDirLock> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const pidFile = join(dataDir, 'lock.pid')
  const db = new Database(join(dataDir, 'lock.db'), { timeout: 0 })
  try {
    db.pragma('journal_mode = MEMORY') // nothing is written, so nothing is left behind
    db.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    db.close()
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) throw new DataDirInUse(dataDir, await readPid(pidFile))
    throw error
  }
  try {
    await writeFile(pidFile, `${process.pid}\n`, { mode: 0o600 })
  } catch (error) {
    db.close()
    throw error
  }
  return {
    async release () {
      if (!db.open) return
      await rm(pidFile, { force: true })
      db.close()
    }
  }
}

async function readPid (file: string): Promise<number | null> {
  const pid = Number.parseInt(await readFile(file, 'utf8').catch(() => ''), 10)
  return Number.isNaN(pid) ? null : pid
}
