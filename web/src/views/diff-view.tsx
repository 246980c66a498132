import { useMemo } from 'react'
import { countsOf, parseDiff, wholeDiff, type DiffLine } from '../text/diff.ts'
import { marked } from '../text/marks.ts'

const linesMax = 2_000

/** Added and removed lines, told apart by sign and colour; within the whole file when `file` is given. */
export function DiffView ({ diff, file = null }: { diff: string, file?: string | null }) {
  const lines = useMemo(() => file === null ? withoutNames(parseDiff(diff)) : wholeDiff(diff, marked(file)), [diff, file])
  const { added, removed } = countsOf(lines)
  return (
    <div className='diff' tabIndex={0}>
      <p className='counts'><span className='added'>+{added}</span> <span className='removed'>−{removed}</span></p>
      <table>
        <tbody>{lines.slice(0, linesMax).map((line, index) => <Line key={index} line={line} />)}</tbody>
      </table>
      {lines.length > linesMax && <p className='quiet'>… {lines.length - linesMax}</p>}
    </div>
  )
}

/** Names stand only where there are several files; of their lines one is enough. */
function withoutNames (lines: readonly DiffLine[]): DiffLine[] {
  const several = lines.filter(({ kind, text }) => kind === 'file' && text.startsWith('+++ ')).length > 1
  return lines.filter(({ kind, text }) => kind !== 'file' || (several && !/^(---|\+\+\+|index|new file|deleted file|old mode|new mode) /.test(text)))
}

const signs = { added: '+', removed: '−', same: '', hunk: '', file: '', note: '' } as const

function Line ({ line }: { line: DiffLine }) {
  if (line.kind === 'hunk' || line.kind === 'file' || line.kind === 'note') return <tr className={line.kind}><td colSpan={4}>{line.text}</td></tr>
  return (
    <tr className={line.kind}>
      <td className='number'>{line.before}</td>
      <td className='number'>{line.after}</td>
      <td className='sign'>{signs[line.kind]}</td>
      <td className='code-line'>{line.text}</td>
    </tr>
  )
}
