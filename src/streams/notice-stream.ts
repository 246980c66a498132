import type { NoticeListener } from '../agent/notices.ts'
import type { Notice } from '../protocol/notices.ts'
import { greeting } from './frame.ts'
import type { SseWriter } from './sse-writer.ts'

/** One reader of notices. There is nothing to replay: who comes back fetches the lists. */
export class NoticeStream implements NoticeListener {
  readonly #writer: SseWriter
  readonly #retryMs: number
  readonly #subscribe: (listener: NoticeListener) => () => void

  constructor (writer: SseWriter, retryMs: number, subscribe: (listener: NoticeListener) => () => void) {
    this.#writer = writer
    this.#retryMs = retryMs
    this.#subscribe = subscribe
  }

  /** Begins to write; once. */
  start (): void {
    this.#writer.write(greeting(this.#retryMs))
    this.#writer.onClosed(this.#subscribe(this))
  }

  onNotice (notice: Notice): void {
    this.#writer.write(`event: ${notice.type}\ndata: ${JSON.stringify(notice)}\n\n`)
  }

  end (): void { this.#writer.end() }
}
