import type { JsonObject } from '../protocol/common.ts'

/** Turns an event of one log version into the next one's shape. Pure: it sees the event and nothing else. */
export type Upcaster = (event: JsonObject) => JsonObject

/** By the version that they read: `upcasters[1]` makes version 2 of version 1. */
export type Upcasters = Readonly<Record<number, Upcaster>>

/** One entry a version before `logVersion`; a version that changed no stored shape needs none. */
export const upcasters: Upcasters = Object.freeze({})

/** An event of `version` in the shape of `target`. An event of a newer version stays as it is. */
export function upcast (event: JsonObject, version: number, target: number, table: Upcasters): JsonObject {
  let current = event
  for (let from = version; from < target; from++) current = table[from]?.(current) ?? current
  return current
}
