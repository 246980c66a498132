import type { Caller } from '../../agent/caller.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks. On a public route without a valid key: nobody, with no name and no scopes. */
    caller: Caller
  }
  interface FastifyReply {
    /** The code of the problem that was answered, for the log; null: none. */
    problemCode: string | null
  }
  interface FastifySchema {
    /** Left out of the contract. Said here too, for a build without the tool that makes the contract. */
    hide?: boolean
  }
  interface FastifyContextConfig {
    /** Answers without an API key. Everything else needs one. */
    public?: boolean
    /** Media type of a body that is bytes, for the contract; any other type is taken too. */
    takes?: string
  }
}
