import type { Reply } from '../../test/support/model-server/reply.ts'

interface Task { readonly title: string, readonly message: string, readonly replies: readonly Reply[] }

const usage = { prompt_tokens: 4_210, completion_tokens: 212, total_tokens: 4_422, cost: 0.0121 }
const call = (id: string, name: string, args: object) => ({ id, name, arguments: args })

export const files: Record<string, string> = {
  'README.md': '# Gate control\n\nOpens and closes the gates of a canal lock.\n',
  'src/gate.ts': [
    'import { level } from \'./level.ts\'',
    '',
    '/** Opens the lower gate when both sides are level. */',
    'export async function openLower (chamber: Chamber) {',
    '  const difference = level(chamber) - level(chamber.below)',
    '  if (difference > 0.2) return false',
    '  await chamber.lower.open()',
    '  return true',
    '}',
    ''
  ].join('\n'),
  'src/level.ts': 'export const level = (side: Side) => side.sensor.metres\n',
  'test/gate.test.ts': 'import { openLower } from \'../src/gate.ts\'\n'
}

export const tasks: readonly Task[] = [
  { title: 'Translate the handbook', message: 'Translate the handbook into French.', replies: [{ text: 'The handbook is translated: 14 pages.', usage }] },
  { title: 'Release notes for 2.4', message: 'Write the release notes.', replies: [{ text: 'The notes are in `CHANGELOG.md`.', usage }] },
  {
    title: 'Remove the old importer',
    message: 'Remove the old importer.',
    replies: [{ text: 'Nothing uses it any more.', tool_calls: [call('c1', 'delete_file', { path: 'src/level.ts' })], usage }]
  }
]

export const openTask: Task = {
  title: 'The gate opens too early',
  message: 'The lower gate opens while the water is still 20 cm apart. Find out why, and fix it.',
  replies: [
    {
      reasoning: 'The gate compares two levels somewhere. Look at the sources first.',
      text: 'I will look at how the gate decides.',
      tool_calls: [call('c1', 'list_dir', { path: 'src' }), call('c2', 'read_file', { path: 'src/gate.ts' })],
      usage
    },
    {
      text: [
        'Found it: `openLower` tolerates a difference of **0.2 m**, and only when the chamber is the higher side.',
        '',
        '| case | today | should be |',
        '| --- | --- | --- |',
        '| chamber 15 cm higher | opens | waits |',
        '| chamber 15 cm lower | opens | waits |',
        '',
        'I will compare the absolute difference with 2 cm.'
      ].join('\n'),
      tool_calls: [
        call('c3', 'edit_file', {
          path: 'src/gate.ts',
          edits: [{
            oldText: '  const difference = level(chamber) - level(chamber.below)\n  if (difference > 0.2) return false\n',
            newText: '  const difference = Math.abs(level(chamber) - level(chamber.below))\n  if (difference > levelTolerance) return false\n'
          }, { oldText: '/** Opens the lower', newText: 'const levelTolerance = 0.02 // metres\n\n/** Opens the lower' }]
        }),
        call('c4', 'write_file', { path: 'test/tolerance.test.ts', content: 'import { openLower } from \'../src/gate.ts\'\n' })
      ],
      usage
    }
  ]
}
