import openapiTS, { astToString } from 'openapi-typescript'
import type { JsonObject } from './json.ts'

/** The contract as types, for the console. */
export async function webTypes (document: JsonObject): Promise<string> {
  const nodes = await openapiTS(JSON.stringify(document))
  return `/* eslint-disable */\n/* Made from the routes by "npm run openapi"; do not edit. */\n${astToString(nodes)}`
}
