import * as defaults from '../../limits.ts'
import type { CommandLimits } from './command-runner.ts'

/** What an operator changes, and what follows from it. */
export function operatorLimits ({ timeoutMs, memoryBytes, processes }: Pick<CommandLimits, 'timeoutMs' | 'memoryBytes' | 'processes'>): Partial<CommandLimits> {
  return {
    timeoutMs,
    memoryBytes,
    processMemoryBytes: Math.min(defaults.processMemoryBytes, memoryBytes),
    processes,
    // On one core a process may compute for as long as the command runs.
    cpuSeconds: Math.max(defaults.commandCpuSeconds, Math.ceil(timeoutMs / 1_000))
  }
}

/** Where nobody asks for others. */
export const defaultCommandLimits: CommandLimits = {
  timeoutMs: defaults.commandTimeoutMsMax,
  memoryBytes: defaults.commandMemoryBytes,
  processMemoryBytes: defaults.processMemoryBytes,
  diskBytes: defaults.commandDiskBytes,
  diskFiles: defaults.commandDiskFiles,
  freeDiskBytes: defaults.freeDiskBytesMin,
  outputBytes: defaults.commandOutputBytes,
  fileBytes: defaults.commandFileBytes,
  processes: defaults.commandProcessesMax,
  openFiles: defaults.commandOpenFilesMax,
  cpuSeconds: defaults.commandCpuSeconds
}
