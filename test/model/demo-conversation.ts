import type { ModelAnswer, ModelMessage, ModelPart, Model } from '../../src/model/model.ts'
import type { ToolDeclaration } from '../../src/protocol/events.ts'
import { callModel, joined } from './call-model.ts'

export interface Done { readonly tool: string, readonly arguments: Record<string, unknown> }

/** What a tool of the conversation answers; an `error` makes the call fail. */
export type Answer = string | { readonly error: string, readonly code: string, readonly suggestion?: string }

const offered = ['read_file', 'write_file', 'edit_file', 'list_dir', 'move_file', 'delete_file', 'run_command']

/** Talks to a model the way an agent does, with tools that only answer. */
export class Conversation {
  readonly messages: ModelMessage[] = [{ role: 'system', content: 'You are an agent.' }]
  readonly calls: Done[] = []
  readonly parts: ModelPart[] = []
  readonly #model: Model
  readonly #answer: (call: Done) => Answer
  readonly #tools: ToolDeclaration[]

  constructor (model: Model, answer: (call: Done) => Answer = () => 'done', tools: readonly string[] = offered) {
    this.#model = model
    this.#answer = answer
    this.#tools = tools.map((name) => ({ name, description: name, parameters: {} }))
  }

  /** Runs a message to its end. Resolves with the texts of all steps. */
  async say (content: string): Promise<string[]> {
    this.messages.push({ role: 'user', content })
    const texts: string[] = []
    for (let step = 0; step < 20; step++) {
      const { answer, parts, error } = await callModel(this.#model, { messages: this.messages, tools: this.#tools })
      if (answer === null) throw error ?? new Error('no answer')
      this.parts.push(...parts)
      texts.push(answer.text)
      if (joined(parts, 'text') !== answer.text) throw new Error('the parts do not make the text')
      this.#take(answer, step)
      if (answer.calls.length === 0) return texts
    }
    throw new Error('the conversation does not end')
  }

  #take ({ text, reasoning, calls, echo }: ModelAnswer, step: number): void {
    const made = calls.map(({ tool, arguments: args }, position) => ({ callId: `call_${this.messages.length}_${step}_${position}`, tool, arguments: args }))
    this.messages.push({ role: 'assistant', text, reasoning, calls: made, echo })
    for (const { callId, tool, arguments: args } of made) {
      const call = { tool, arguments: args }
      this.calls.push(call)
      const answer = this.#answer(call)
      this.messages.push(typeof answer === 'string'
        ? { role: 'tool', callId, content: answer, ok: true }
        : { role: 'tool', callId, content: JSON.stringify({ canRetry: false, suggestion: null, ...answer }), ok: false })
    }
  }
}
