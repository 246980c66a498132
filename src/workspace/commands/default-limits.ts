import * as defaults from '../../limits.ts'
import type { CommandLimits } from './command-runner.ts'

/** Where nobody asks for others. */
export const defaultCommandLimits: CommandLimits = {
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
