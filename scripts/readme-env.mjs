/**
 * `npm run readme:env` writes the table of variables into README.md, between `<!-- env:start -->` and
 * `<!-- env:end -->`, from the table in src/config/variables.ts. With `--check` it only says whether they differ.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { ensure, root } from './ensure.mjs'

const marks = { start: '<!-- env:start -->', end: '<!-- env:end -->' }

/** A Markdown table; `allowed` says what the values of a schema may be. */
export function envTable (variables, allowed) {
  const cell = (text) => text.replaceAll('|', '\\|')
  const rows = Object.entries(variables).map(([name, { schema, fallback, about }]) =>
    `| \`${name}\` | ${fallback === null ? '' : `\`${fallback}\``} | ${cell(about)} | ${cell(allowed(schema))} |`)
  return ['| variable | default | meaning | allowed |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

/** `readme` with the table between the marks. @throws Error when a mark is missing */
export function withTable (readme, table) {
  const [start, end] = [readme.indexOf(marks.start), readme.indexOf(marks.end)]
  if (start === -1 || end < start) throw new Error(`README.md lacks the marks ${marks.start} and ${marks.end}.`)
  return `${readme.slice(0, start + marks.start.length)}\n${table}\n${readme.slice(end)}`
}

if (process.argv[1] === import.meta.filename) {
  ensure('test')
  const { variables, allowedValues } = await import(new URL('../build/src/config/variables.js', import.meta.url).href)
  const file = path.join(root, 'README.md')
  if (!existsSync(file)) {
    process.stderr.write('README.md is not there.\n')
    process.exit(1)
  }
  const readme = readFileSync(file, 'utf8')
  const wanted = withTable(readme, envTable(variables, allowedValues))
  if (!process.argv.includes('--check')) writeFileSync(file, wanted)
  else if (wanted !== readme) {
    process.stderr.write('The table of variables in README.md is not that of src/config/variables.ts: npm run readme:env\n')
    process.exit(1)
  }
}
