import { lstatSync, readFileSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/** All below a directory: path → what it is, with bytes, permissions and link texts. */
export function snapshot (directory: string, prefix = ''): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of readdirSync(directory).sort()) {
    const path = join(directory, name)
    const stat = lstatSync(path)
    const mode = (stat.mode & 0o7777).toString(8)
    if (stat.isDirectory()) Object.assign(found, { [`${prefix}${name}/`]: mode }, snapshot(path, `${prefix}${name}/`))
    else if (stat.isSymbolicLink()) found[prefix + name] = `-> ${readlinkSync(path)}`
    else if (stat.isFile()) found[prefix + name] = `${mode} ${readFileSync(path).toString('base64')}`
    else found[prefix + name] = 'other'
  }
  return found
}
