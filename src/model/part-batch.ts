import type { ModelPart } from './model.ts'
import { wellFormed } from './json.ts'

/**
 * Collects the parts of one network read: neighbours of one kind are joined, and a high surrogate at the end
 * of a text waits for its other half, so that no part ends inside a character.
 */
export class PartBatch {
  #parts: ModelPart[] = []
  #text = ''
  #reasoning = ''
  #call: { index: number, tool: string, text: string } | null = null
  #heldText = ''
  #heldReasoning = ''
  readonly #heldArguments = new Map<number, string>()

  text (text: string): void {
    if (text === '') return
    if (this.#text === '') this.#close()
    this.#text += text
  }

  reasoning (text: string): void {
    if (text === '') return
    if (this.#reasoning === '') this.#close()
    this.#reasoning += text
  }

  /** `text` is what was appended to the arguments; empty, it announces the call or its name. */
  call (index: number, tool: string, text: string): void {
    if (this.#call?.index !== index || this.#call.tool !== tool) {
      this.#close()
      this.#call = { index, tool, text: '' }
    }
    this.#call.text += text
  }

  /** The parts since the last time. */
  take (): readonly ModelPart[] {
    this.#close()
    const parts = this.#parts
    if (parts.length > 0) this.#parts = []
    return parts
  }

  /** No more comes: halves that still wait are given out as U+FFFD. */
  end (): void {
    this.#close()
    if (this.#heldReasoning !== '') this.#parts.push({ type: 'reasoning', text: '\ufffd' })
    if (this.#heldText !== '') this.#parts.push({ type: 'text', text: '\ufffd' })
    this.#heldText = this.#heldReasoning = ''
  }

  #close (): void {
    if (this.#text !== '') {
      const all = this.#heldText + this.#text
      this.#heldText = trailingHalf(all)
      const text = wellFormed(this.#heldText === '' ? all : all.slice(0, -1))
      if (text !== '') this.#parts.push({ type: 'text', text })
      this.#text = ''
    } else if (this.#reasoning !== '') {
      const all = this.#heldReasoning + this.#reasoning
      this.#heldReasoning = trailingHalf(all)
      const text = wellFormed(this.#heldReasoning === '' ? all : all.slice(0, -1))
      if (text !== '') this.#parts.push({ type: 'reasoning', text })
      this.#reasoning = ''
    } else if (this.#call !== null) {
      const { index, tool } = this.#call
      const all = (this.#heldArguments.get(index) ?? '') + this.#call.text
      const held = trailingHalf(all)
      this.#heldArguments.set(index, held)
      this.#parts.push({ type: 'call', index, tool, text: wellFormed(held === '' ? all : all.slice(0, -1)) })
      this.#call = null
    }
  }
}

function trailingHalf (text: string): string {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff ? text.slice(-1) : ''
}
