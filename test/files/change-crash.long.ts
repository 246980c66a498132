import { test } from 'tap'
import { changeAtEachPoint, requests } from './change-at-each-point.ts'

const points = ['change_noted', 'change_made', 'change_told', 'before_rename', 'after_rename'] as const

test('a file is put, replaced or deleted over HTTP, wherever the server is killed meanwhile: the log tells what the disk holds', async (t) => {
  await changeAtEachPoint(t, Object.values(requests).flatMap((request) =>
    points.filter((point) => point.startsWith('change') || request !== requests.made).map((point) => [request, point] as const)))
})
