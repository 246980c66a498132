import { statfsSync } from 'node:fs'
import { watchdogIntervalMs } from '../../limits.ts'
import type { CommandLimits } from './command-runner.ts'
import { treeMemory } from './process-tree.ts'

interface Space { readonly bytes: number, readonly files: number }

/** What is free for a user on the file system of `directory`. */
function freeSpace (directory: string): Space {
  const { bavail, bsize, ffree } = statfsSync(directory)
  return { bytes: bavail * bsize, files: ffree }
}

export function hasRoom (directory: string, limits: CommandLimits): boolean {
  return freeSpace(directory).bytes >= limits.freeDiskBytes
}

/**
 * Looks ten times a second at what the kernel does not bound by itself: the memory of all processes together, and the disk.
 * Free space is the file system's: what others write meanwhile counts too, and more rather than less is stopped.
 * Returns how to end the watch; `stop` is called at most once.
 */
export function watch (pid: number, directory: string, writable: boolean, limits: CommandLimits, stop: (why: 'memory_limit' | 'disk_limit') => void): () => void {
  const before = freeSpace(directory)
  const timer = setInterval(() => {
    const free = freeSpace(directory)
    const diskUsed = writable && (before.bytes - free.bytes > limits.diskBytes || before.files - free.files > limits.diskFiles || free.bytes < limits.freeDiskBytes)
    if (!diskUsed && treeMemory(pid) <= limits.memoryBytes) return
    clearInterval(timer)
    stop(diskUsed ? 'disk_limit' : 'memory_limit')
  }, watchdogIntervalMs)
  return () => { clearInterval(timer) }
}
