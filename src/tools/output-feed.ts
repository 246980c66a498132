import { outputFeedLength, outputFeedMs } from '../limits.ts'
import { cleanOutput } from './clean-output.ts'

/** What may be the beginning of an escape sequence, or of a line's end, whose rest has not come yet. */
// eslint-disable-next-line no-control-regex -- the character that begins one
const unfinished = /(?:\x1b(?:\[[0-?]{0,40}[ -/]{0,4}|\][^\x07\x1b\n]{0,200})?|\r)$/

/** Passes a command's output on to those who watch: decoded, cleaned, in a few pieces a second, no more than they can read. */
export class OutputFeed {
  readonly #send: (text: string) => void
  /** A character may come in two pieces, and each stream has its own. */
  readonly #decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() }
  #waiting = ''
  #dropped = 0
  #timer: NodeJS.Timeout | undefined

  constructor (send: (text: string) => void) {
    this.#send = send
  }

  add (stream: 'stdout' | 'stderr', bytes: Uint8Array): void {
    const text = this.#decoders[stream].decode(bytes, { stream: true })
    const kept = text.slice(0, Math.max(0, outputFeedLength - this.#waiting.length))
    this.#waiting += kept
    this.#dropped += text.length - kept.length
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#flush(unfinished.exec(this.#waiting)?.[0] ?? '')
    }, outputFeedMs)
  }

  /** Sends what is left. */
  end (): void {
    clearTimeout(this.#timer)
    this.#flush('')
  }

  #flush (rest: string): void {
    const whole = cleanOutput(this.#waiting.slice(0, this.#waiting.length - rest.length))
    const dropped = this.#dropped === 0 ? '' : `\n[… ${this.#dropped} characters not shown …]\n`
    this.#waiting = rest
    this.#dropped = 0
    if (whole !== '' || dropped !== '') this.#send(whole + dropped)
  }
}
