import { test } from 'tap'
import { killAtEachPoint } from './kill-at-each-point.ts'
import { move, remove } from './setup.ts'

test('a file or a directory is moved or deleted, wherever the server is killed meanwhile: it is done once, and the model is told so', async (t) => {
  await killAtEachPoint(t, [
    { name: 'a file is moved', call: move('file.txt', 'n/moved.txt'), after: { 'dir/a.txt': 'a', 'dir/b/c.txt': 'c', 'n/moved.txt': 'old\n' }, points: ['before_rename', 'half_moved', 'after_rename'] },
    { name: 'a directory is moved', call: move('dir', 'n/dir'), after: { 'file.txt': 'old\n', 'n/dir/a.txt': 'a', 'n/dir/b/c.txt': 'c' }, points: ['before_rename', 'half_moved', 'after_rename'] },
    { name: 'a file is deleted', call: remove('file.txt'), after: { 'dir/a.txt': 'a', 'dir/b/c.txt': 'c' }, points: ['before_rename', 'after_rename'] },
    { name: 'a directory is deleted', call: remove('dir'), after: { 'file.txt': 'old\n' }, points: ['before_rename', 'after_rename'] }
  ])
})
