import { v7 } from 'uuid'

export type IdPrefix = 'ses' | 'run' | 'call' | 'msg'

/** A new id: the prefix and 32 hex digits that sort by time, also within a millisecond. */
export function newId (prefix: IdPrefix): string {
  return `${prefix}_${v7().replaceAll('-', '')}`
}
