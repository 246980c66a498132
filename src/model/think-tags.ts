const open = '<think>'
const close = '</think>'

type State = 'start' | 'inside' | 'after' | 'passed'

/**
 * Tells apart `<think>…</think>` at the very beginning of the content, where models without a field for
 * reasoning put it. Later tags are text: the answer may be about them.
 */
export class ThinkTags {
  #state: State = 'start'
  #held = ''

  /** Nothing is held back and no tag can come: the content is text as it is. */
  get passed (): boolean { return this.#state === 'passed' }

  /** Reads on; `text` and `reasoning` get what is certain. */
  feed (content: string, text: (text: string) => void, reasoning: (text: string) => void): void {
    let rest = this.#held + content
    this.#held = ''
    if (this.#state === 'start') {
      const head = rest.trimStart()
      if (head.length < open.length && open.startsWith(head)) {
        this.#held = rest
        return
      }
      if (head.startsWith(open)) {
        this.#state = 'inside'
        rest = head.slice(open.length)
      } else {
        this.#state = 'passed'
      }
    }
    if (this.#state === 'inside') {
      const end = rest.indexOf(close)
      if (end === -1) {
        const certain = rest.length - partialTail(rest)
        this.#held = rest.slice(certain)
        reasoning(rest.slice(0, certain))
        return
      }
      reasoning(rest.slice(0, end))
      this.#state = 'after'
      rest = rest.slice(end + close.length)
    }
    if (this.#state === 'after') {
      rest = rest.trimStart()
      if (rest === '') return
      this.#state = 'passed'
    }
    text(rest)
  }

  /** The content is over: what was held back is what it seemed to be. */
  end (text: (text: string) => void, reasoning: (text: string) => void): void {
    if (this.#held !== '') (this.#state === 'inside' ? reasoning : text)(this.#held)
    this.#held = ''
    this.#state = 'passed'
  }
}

/** Length of the longest end of `text` that begins a closing tag. */
function partialTail (text: string): number {
  for (let length = Math.min(close.length - 1, text.length); length > 0; length--) {
    if (close.startsWith(text.slice(-length))) return length
  }
  return 0
}
