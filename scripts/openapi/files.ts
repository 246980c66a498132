import { readFile } from 'node:fs/promises'
import { stringify } from 'yaml'
import { configFileSchema } from '../../src/config/file-schema.ts'
import { describeApi } from './describe.ts'
import { errorsPage } from './errors-page.ts'
import { referencePage } from '../reference.ts'
import { webTypes } from './web-types.ts'

/** Every generated file of the repository by its path from the root, where this must run. */
export async function generateFiles (): Promise<Map<string, string>> {
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string } // npm holds that it is there
  const document = await describeApi(version)
  return new Map([
    ['openapi.yaml', `# Made from the routes by "npm run openapi"; do not edit.\n${stringify(document, { lineWidth: 0, aliasDuplicateObjects: false })}`],
    ['ecluse.config.schema.json', configFileSchema()],
    ['docs/errors.md', errorsPage()],
    ['docs/reference.html', referencePage(document)],
    ['web/src/api/schema.ts', await webTypes(document)]
  ])
}
