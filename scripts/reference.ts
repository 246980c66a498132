import type { JsonObject } from "./openapi/json.ts"
export function referencePage (document: JsonObject): string { return String(Object.keys(document)) }
