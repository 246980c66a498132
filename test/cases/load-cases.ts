import { readFileSync } from 'node:fs'
import type { Test } from 'tap'
import type { Reply } from '../support/model-server/model-server.ts'

/** A line of test/fixtures/cases of the kind `scenario`. */
export interface ScenarioCase {
  readonly id: string
  readonly title: string
  readonly input: {
    readonly kind: string
    readonly model: readonly Reply[]
    readonly steps: readonly Step[]
    readonly files?: ReadonlyArray<{ readonly path: string, readonly utf8: string }>
    readonly config?: { readonly approval_timeout_ms?: number }
  }
  readonly expect: { readonly level: 'must' | 'should', readonly assert?: readonly string[] }
}

/** One thing that a client, or somebody at the machine, does. Which members it has follows from `do`. */
export interface Step {
  readonly do: string
  readonly as?: string
  readonly text?: string
  readonly stream?: string
  readonly from?: string
  readonly until?: string
  readonly until_text?: string
  readonly last_event_id?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly pause_ms?: number
  readonly call?: string
  readonly feedback?: string
  readonly arguments?: Readonly<Record<string, unknown>>
  readonly ms?: number
  readonly steps?: readonly Step[]
  readonly method?: string
  readonly path?: string
  readonly utf8?: string
  readonly body_raw?: string
  readonly body_gen?: { readonly prefix: string, readonly repeat: string, readonly times: number, readonly suffix: string }
  readonly timeout_ms?: number
  readonly signal?: NodeJS.Signals
}

/** Lines end with LF only. */
export function loadLines<T extends { readonly id: string }> (name: string): T[] {
  const file = new URL(`../../../test/fixtures/cases/${name}`, import.meta.url)
  return readFileSync(file, 'utf8').split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as T) // the fixture's own shape
}

export function loadScenarios (name: string): ScenarioCase[] {
  return loadLines<ScenarioCase>(name).filter(({ input }) => input.kind === 'scenario')
}

/** What is looked at after the steps of a case: one check for each of its sentences, in their order. */
export type Checks<W> = Readonly<Record<string, ReadonlyArray<(t: Test, world: W) => Promise<void> | void>>>

/** Runs one check a sentence, named by it: no sentence is left out, and no check has none. */
export async function checkSentences<W> (t: Test, { id, expect }: ScenarioCase, checks: Checks<W>, world: W): Promise<void> {
  const sentences = expect.assert ?? []
  const own = checks[id] ?? []
  t.equal(own.length, sentences.length, 'a check for each sentence')
  for (const [index, sentence] of sentences.entries()) await t.test(sentence, async (t) => { await own[index]?.(t, world) })
}
