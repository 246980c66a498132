/** One answer of the scripted model, as in the scenario cases. */
export interface Reply {
  readonly text?: string
  /** Text as these deltas. */
  readonly stream?: readonly string[]
  /** `deltas` times the text `text` repeated `times` times. */
  readonly stream_gen?: { readonly text: string, readonly times: number, readonly deltas: number }
  readonly reasoning?: string
  /** What the provider wants back with the reasoning, in dialects that have it. */
  readonly signature?: string
  /** Beside text, or alone. `arguments` as a string goes out as it is. `{n}` in an id counts the repeats, from 1. */
  readonly tool_calls?: ReadonlyArray<{ readonly id?: string, readonly name: string, readonly arguments: object | string }>
  /** Default: `tool_calls` with calls, else `stop`. */
  readonly finish_reason?: string
  readonly usage?: object
  /** Bytes as they are, one write for each chunk. */
  readonly raw?: RawReply
  /** Sends nothing, not even headers, until `release()`. */
  readonly gate?: boolean
  /** Sends this many deltas, then waits for `release()`. */
  readonly gate_after?: number
  /** This reply so many times. */
  readonly repeat?: number
  /** Before each delta, or chunk of `raw`. */
  readonly delayMs?: number
}

export interface RawReply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly chunks?: readonly string[]
  readonly chunks_b64?: readonly string[]
  readonly body?: string
  readonly split_every?: number
  readonly end?: 'close' | 'reset' | 'hang'
}

/** What the server was sent. */
export interface RecordedRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The body as text, byte for byte. */
  readonly raw: string
  /** The body parsed; null when it was no JSON. */
  readonly body: ChatRequest | null
  /** When it had arrived, in ms since the epoch. */
  readonly at: number
}

/** The members of a chat-completions request that tests look at. */
export interface ChatRequest {
  readonly model: string
  readonly stream?: boolean
  readonly messages: readonly ChatMessage[]
  readonly tools?: ReadonlyArray<{
    readonly type: string
    readonly function: { readonly name: string, readonly description: string, readonly parameters: Record<string, unknown> }
  }>
  readonly [key: string]: unknown
}

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string | null
  readonly tool_calls?: ReadonlyArray<{
    readonly id: string
    readonly type: string
    readonly function: { readonly name: string, readonly arguments: string }
    readonly [key: string]: unknown
  }>
  readonly tool_call_id?: string
  readonly [key: string]: unknown
}
