import { readdirSync, readFileSync } from 'node:fs'
import { treeProcessesMax } from '../../limits.ts'

/**
 * Resident memory in bytes of a process and all below it, whatever sessions and groups they have put themselves in.
 * Pages that a fork shares count once for each process: too much rather than too little. A process that ends meanwhile
 * counts as nothing.
 */
export function treeMemory (pid: number): number {
  let bytes = 0
  const waiting = [pid]
  for (let looked = 0; looked < treeProcessesMax; looked++) {
    const next = waiting.pop()
    if (next === undefined) break
    bytes += residentBytes(next)
    waiting.push(...childrenOf(next))
  }
  return bytes
}

function residentBytes (pid: number): number {
  const kib = /^VmRSS:\s*(\d+) kB/m.exec(contentOf(`/proc/${pid}/status`))?.[1]
  return kib === undefined ? 0 : Number(kib) * 1024
}

/** Each thread has children of its own. */
function childrenOf (pid: number): number[] {
  return namesIn(`/proc/${pid}/task`).flatMap((thread) => {
    return contentOf(`/proc/${pid}/task/${thread}/children`).split(' ').filter((child) => child !== '').map(Number)
  })
}

function contentOf (path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

function namesIn (path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}
