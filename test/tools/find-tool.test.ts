import { test } from 'tap'
import { findTool } from '../../src/tools/find-tool.ts'
import { fileTools } from '../../src/tools/table.ts'

const tools = new Map(fileTools.map((tool) => [tool.name, tool]))

test('a tool is found under the forms that models give its name', async (t) => {
  for (const name of ['read_file', 'Read_File', 'READ_FILE', 'readFile', 'ReadFile', 'read-file', 'functions.read_file', 'default_api:read_file', ' read_file ']) {
    t.match(findTool(tools, name), { tool: { name: 'read_file' } }, name)
  }
})

test('another spelling is not guessed at, but the tools are named', async (t) => {
  t.same(findTool(tools, 'readfiles'), {
    error: {
      error: 'There is no tool "readfiles". The tools are: read_file, list_dir, write_file, edit_file, move_file, delete_file.',
      code: 'unknown_tool',
      canRetry: true,
      suggestion: 'Did you mean read_file?'
    }
  })
  t.match(findTool(tools, 'execute_python'), { error: { code: 'unknown_tool', suggestion: 'Call one of these.' } })
  t.match(findTool(tools, ''), { error: { code: 'unknown_tool' } })
  const long = findTool(tools, 'x'.repeat(100_000))
  t.ok('error' in long && long.error.error.length < 300)
})
