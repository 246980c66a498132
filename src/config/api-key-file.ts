import { randomBytes } from 'node:crypto'
import { chmod, link, mkdir, open, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { parseKeys, type ApiKey } from '../routes/edge/keys.ts'

export interface MadeKey {
  readonly keys: readonly ApiKey[]
  /** The key itself, only when it was made just now. */
  readonly fresh: string | null
  readonly file: string
}

/**
 * The key of a server whose operator configured none: 256 bits, made at the first start, kept in `dataDir/api-key`,
 * readable by the owner alone.
 * @throws Error when the file is there but holds no usable key
 */
export async function readOrMakeApiKey (dataDir: string): Promise<MadeKey> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const file = path.join(dataDir, 'api-key')
  const known = await readIfThere(file)
  if (known !== null) return known
  const key = randomBytes(32).toString('base64url')
  // Written beside and linked: a crash leaves no half key, and of two servers that start at once one wins.
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(`${key}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  try {
    await link(draft, file)
  } catch (error) {
    const won = await readIfThere(file)
    if (won === null) throw error
    return won
  } finally {
    await rm(draft, { force: true })
  }
  return { keys: parseKeys(key).keys, fresh: key, file }
}

async function readIfThere (file: string): Promise<MadeKey | null> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
  const { keys, faults } = parseKeys(text)
  if (keys.length === 0 || faults.length > 0) throw new Error(`${file} holds no usable API key${faults.length > 0 ? `: ${faults.join('; ')}` : ''}. Remove it to have a new one made.`)
  await chmod(file, 0o600)
  return { keys, fresh: null, file }
}
