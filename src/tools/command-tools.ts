import type { CommandRunner } from '../workspace/commands/command-runner.ts'
import type { FileSearch } from '../workspace/search/file-search.ts'
import { findFilesTool } from './find-files.ts'
import { runCommandTool } from './run-command.ts'
import { searchFilesTool } from './search-files.ts'
import type { Tool } from './tool.ts'

/** The tools that use the sandbox. Where there is none a model is not told of `run_command`; the others work without. */
export function commandTools (runner: CommandRunner, search: FileSearch): readonly Tool[] {
  const searching = [findFilesTool(search), searchFilesTool(search)]
  return runner.status.available ? [...searching, runCommandTool(runner)] : searching
}
