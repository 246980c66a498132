import { test } from 'tap'
import { before, killAtEachPoint } from './kill-at-each-point.ts'
import { edit, write } from './setup.ts'

test('a file is written or edited, wherever the server is killed meanwhile: it is done once, and the model is told so', async (t) => {
  await killAtEachPoint(t, [
    { name: 'a new file is written', call: write('n/new.txt', 'new\n'), after: { ...before, 'n/new.txt': 'new\n' }, points: ['decided', 'started', 'staged', 'before_rename', 'after_rename', 'executed'] },
    { name: 'a file is edited', call: edit('file.txt', 'old', 'old and new'), after: { 'dir/a.txt': 'a', 'dir/b/c.txt': 'c', 'file.txt': 'old and new\n' }, points: ['before_rename', 'after_rename'] }
  ])
})
