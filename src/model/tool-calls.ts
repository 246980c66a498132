import type { AnswerCall } from './model.ts'
import { isObject, nonEmptyString, parseJson } from './json.ts'
import { modelArgumentsLengthMax, modelCallsMax } from '../limits.ts'
import type { JsonObject } from '../protocol/common.ts'

interface Slot {
  readonly position: number
  id: string
  name: string
  text: string
  /** The last character of `text` that is no space: `text` itself, a rope while it grows, stays unread. */
  tail: string
  extra: JsonObject | null
}

/** The calls of one answer, and what the provider wants back with them. */
export interface CollectedCalls {
  readonly calls: readonly AnswerCall[]
  /** The model's ids in the order of the calls; `''` where it gave none or one that it had used already. */
  readonly callIds: readonly string[]
  /** `extra_content` as it came, in the order of the calls. */
  readonly extras: ReadonlyArray<JsonObject | null>
}

/** Tells what a fragment changed: `text` was appended to the arguments of call `index`. */
export type OnCall = (index: number, tool: string, text: string) => void

/**
 * Puts calls together from fragments, as servers really send them: with and without index or id, the same
 * index for several calls, names in pieces or repeated, arguments as objects or twice.
 */
export class ToolCallAccumulator {
  readonly #slots: Slot[] = []
  readonly #byIndex = new Map<number, Slot>()
  readonly #known: ReadonlySet<string>
  readonly #knownNames: readonly string[]
  #last: Slot | undefined
  #overflow = false

  constructor (knownTools: readonly string[]) {
    this.#known = new Set(knownTools)
    this.#knownNames = knownTools
  }

  /** Calls so far. */
  get size (): number { return this.#slots.length }

  /** More calls, or longer arguments, than an answer may have: the rest was left out. */
  get overflow (): boolean { return this.#overflow }

  /** Takes one entry of a `tool_calls` array. Returns how many bytes of arguments it added. */
  feed (fragment: unknown, onCall: OnCall): number {
    if (!isObject(fragment)) return 0
    const fn = isObject(fragment['function']) ? fragment['function'] : {}
    const index = Number.isInteger(fragment['index']) ? Number(fragment['index']) : undefined
    const id = nonEmptyString(fragment['id']) ?? ''
    const name = nonEmptyString(fn['name']) ?? ''
    const args = fn['arguments']
    const slot = this.#find(index, id, name, args)
    if (slot === undefined) return 0
    this.#last = slot
    if (slot.id === '') slot.id = id
    if (slot.extra === null && isObject(fragment['extra_content'])) slot.extra = fragment['extra_content']
    const renamed = name !== '' && this.#rename(slot, name)
    const added = this.#append(slot, args)
    if (renamed || added !== '') onCall(slot.position, slot.name, added)
    return added === '' ? 0 : Buffer.byteLength(added)
  }

  /** @param cut the answer ended at an output limit: unfinished arguments are that, not a mistake */
  finish (cut: boolean): CollectedCalls {
    const used = new Set<string>()
    const named = this.#slots.filter((slot) => slot.name !== '' || slot.text !== '')
    return {
      calls: named.map((slot) => finishCall(slot, cut)),
      callIds: named.map(({ id }) => {
        if (id === '' || used.has(id)) return ''
        used.add(id)
        return id
      }),
      extras: named.map(({ extra }) => extra)
    }
  }

  #find (index: number | undefined, id: string, name: string, args: unknown): Slot | undefined {
    if (index !== undefined) {
      const open = this.#byIndex.get(index)
      if (open !== undefined && !this.#isAnother(open, id, name, args)) return open
      if (open === undefined && id === '' && name === '' && this.#last !== undefined) return this.#last
      return this.#open(index)
    }
    const known = id === '' ? undefined : this.#slots.findLast((slot) => slot.id === id)
    if (known !== undefined) return this.#isAnother(known, '', name, args) ? this.#open(undefined) : known
    if (this.#last === undefined || (id !== '' && name !== '')) return this.#open(undefined)
    if (name !== '' && this.#last.name !== '' && isComplete(this.#last)) return this.#open(undefined)
    return this.#last
  }

  /** Whether a fragment with a name, for an index or id that has a call, begins another call. */
  #isAnother (slot: Slot, id: string, name: string, args: unknown): boolean {
    if (name === '') return false
    if (id !== '' && slot.id !== '' && id !== slot.id) return true
    if (!isComplete(slot)) return false
    if (name !== slot.name) return this.#known.has(name)
    // The same name with whole arguments of its own: two calls under one id.
    const own = wholeArguments(args)
    return own !== undefined && own !== canonical(slot.text)
  }

  #open (index: number | undefined): Slot | undefined {
    if (this.#slots.length >= modelCallsMax) {
      this.#overflow = true
      return undefined
    }
    const slot: Slot = { position: this.#slots.length, id: '', name: '', text: '', tail: '', extra: null }
    this.#slots.push(slot)
    if (index !== undefined) this.#byIndex.set(index, slot)
    return slot
  }

  #rename (slot: Slot, name: string): boolean {
    if (name === slot.name) return false
    if (slot.name === '') {
      slot.name = name
      return true
    }
    const joined = slot.name + name
    if (this.#knownNames.some((known) => known.startsWith(joined))) {
      slot.name = joined
      return true
    }
    if (!this.#known.has(name)) return false
    slot.name = name
    return true
  }

  #append (slot: Slot, args: unknown): string {
    if (isObject(args)) {
      if (slot.text !== '') return ''
      slot.text = JSON.stringify(args)
      slot.tail = '}'
      return slot.text
    }
    if (typeof args !== 'string' || args === '' || isRepeat(slot, args)) return ''
    if (slot.text.length + args.length > modelArgumentsLengthMax) {
      this.#overflow = true
      return ''
    }
    slot.text += args
    slot.tail = args.trimEnd().at(-1) ?? slot.tail
    return args
  }
}

/** A server that sends the whole once more at the end; looked at only when the text could be that. */
function isRepeat (slot: Slot, next: string): boolean {
  if (next.length < 2 || !couldBeComplete(slot) || !/^\s*["{]/.test(next)) return false
  const own = canonical(slot.text)
  return own !== undefined && own === canonical(next)
}

function couldBeComplete ({ tail }: Slot): boolean {
  return tail === '}' || tail === '"'
}

function isComplete (slot: Slot): boolean {
  return couldBeComplete(slot) && parseArguments(slot.text) !== undefined
}

function wholeArguments (args: unknown): string | undefined {
  if (isObject(args)) return JSON.stringify(args)
  return typeof args === 'string' ? canonical(args) : undefined
}

function canonical (text: string): string | undefined {
  const value = parseArguments(text)
  return value === undefined ? undefined : JSON.stringify(value)
}

/** The object that `text` stands for, also when it was encoded twice. */
function parseArguments (text: string): JsonObject | undefined {
  const value = parseJson(text)
  const inner = typeof value === 'string' ? parseJson(value) : value
  return isObject(inner) ? inner : undefined
}

/** A call whose arguments came as `text`. @param cut the answer ended at an output limit */
export function finishCall ({ name: tool, text }: { readonly name: string, readonly text: string }, cut: boolean): AnswerCall {
  if (text.trim() === '') return { tool, arguments: {}, ...(cut ? { invalidArguments: { reason: 'truncated', text } } : {}) }
  if (text.trim() === 'null') return { tool, arguments: {} } // no arguments, as some say it for a tool that needs none
  const value = parseArguments(text)
  if (value !== undefined) return { tool, arguments: value }
  const reason = parseJson(text) !== undefined ? 'not_an_object' : cut ? 'truncated' : 'invalid_json'
  return { tool, arguments: {}, invalidArguments: { reason, text } }
}
