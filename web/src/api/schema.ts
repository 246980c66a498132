/* eslint-disable */
/* Made from the routes by "npm run openapi"; do not edit. */
export interface paths {
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the process answers
         * @description Needs no key.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the server takes work
         * @description Needs no key; with one that may `read` it says more.
         */
        get: operations["getReady"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Gauges in the Prometheus text format */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.yaml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This contract as YAML */
        get: operations["getOpenapiYaml"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This contract as JSON */
        get: operations["getOpenapiJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sessions
         * @description Newest first. `?metadata.KEY=VALUE`, once or more, keeps the sessions that have all of these.
         */
        get: operations["listSessions"];
        put?: never;
        /**
         * Create a session
         * @description A session has its own workspace, policy, model and event log. Everything in the body may be left out. A policy looser than the server's default needs the scope `approve`.
         */
        post: operations["createSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a session */
        get: operations["getSession"];
        put?: never;
        post?: never;
        /**
         * Delete a session
         * @description Cancels its run, and removes its log and its workspace. It is gone for every client when this answers.
         */
        delete: operations["deleteSession"];
        options?: never;
        head?: never;
        /**
         * Change a session
         * @description A JSON merge patch: what is left out stays, null removes. It holds from the next step on. A looser policy needs the scope `approve`.
         */
        patch: operations["updateSession"];
        trace?: never;
    };
    "/sessions/{sessionId}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the transcript
         * @description What was said, oldest first, each tool call with its result.
         */
        get: operations["listMessages"];
        put?: never;
        /**
         * Send a message, which starts a run
         * @description The answer follows `Accept`: the run's events as `text/event-stream`, the settled run as `application/json` (also for a tie, `*\/*` or nothing), or the answer's text alone as `text/plain`.
         *
         *     Refusals and failed runs are always `application/problem+json`, with the run in `run`. 502, 503 and 504 never describe a run: send the request again with the same `Idempotency-Key`.
         *
         *     A client that leaves stops nothing, unless `cancelOnDisconnect` is set and nobody follows the run for 10 s.
         */
        post: operations["postMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{sessionId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read or follow the log of a session
         * @description With `Accept: text/event-stream`: the log from the cursor on, then `snapshot`, then what comes, for as long as the session exists. Each event of the log has its seq as `id`; come back with it and nothing is missed and nothing comes twice. Previews have no `id`. A cursor that the log does not know gets `reset`, then everything.
         *
         *     Otherwise (also for `*\/*`): a page of the log as JSON, oldest first.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{sessionId}/runs/{runId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow a run
         * @description The events of one run with the same ids as in the session's log, from the cursor on; ends after `run_end`.
         */
        get: operations["streamRunEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow all sessions
         * @description A short notice for each change in a session that the key may see: a hint to fetch, without the change itself. Notices are not stored and have no `id`; fetch the lists when the stream opens, and again after a reconnect.
         */
        get: operations["streamNotices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{sessionId}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of a session
         * @description Newest first.
         */
        get: operations["listRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{sessionId}/runs/{runId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a run, or wait for it */
        get: operations["getRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{sessionId}/runs/{runId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a run
         * @description Nothing of it starts from here on; what runs is stopped, then the run ends as `cancelled`. A run that is settled already is returned as it is.
         */
        post: operations["cancelRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{sessionId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel the active run of a session */
        post: operations["cancelActiveRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List approvals
         * @description Newest first, of all sessions that the key may see. `?status=pending` is what waits for somebody.
         */
        get: operations["listApprovals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/approvals/{callId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an approval
         * @description With its arguments and its preview whole: what is shown is what will run.
         */
        get: operations["getApproval"];
        put?: never;
        /**
         * Approve or deny a call, or change its arguments
         * @description Without `digest` a decision is good for round 1 only, so that an old click never approves a new plan. The same decision again is answered with the same record; one that comes too late is 409 with the record in `approval`.
         *
         *     `arguments` alone asks again with a new preview; with `decision` it changes and decides at once. `remember: "session"` allows such calls for the rest of the session.
         */
        post: operations["decideApproval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{sessionId}/files/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a file, or list a directory
         * @description A file as it is, always as an attachment; a directory, also the workspace itself, as JSON. The path is relative to the workspace; it must be percent-encoded where it has other than plain characters. Links inside the workspace are followed.
         */
        get: operations["getFile"];
        /**
         * Write a file, or make a directory
         * @description The body is the content, whatever its type. Directories on the way are made, the permissions of a file that is there are kept. A path that ends in a slash makes a directory and takes no body. The path is relative to the workspace; it must be percent-encoded where it has other than plain characters. At most 268435456 bytes.
         */
        put: operations["putFile"];
        post?: never;
        /**
         * Delete a file or a directory
         * @description A link is deleted itself, not what it leads to. The path is relative to the workspace; it must be percent-encoded where it has other than plain characters.
         */
        delete: operations["deleteFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{sessionId}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the whole workspace
         * @description Regular files and directories as tar.gz, with permissions and times. It is made while it is sent: an answer that breaks off is not whole.
         */
        get: operations["getArchive"];
        /**
         * Replace the whole workspace
         * @description A tar.gz of regular files and directories with relative paths; anything else in it and it is refused whole. The workspace changes at once or not at all, also when the server is killed meanwhile. The session must be idle. Before the first run it is what `GET …/diff` counts from. At most 536870912 bytes; what comes out of it must fit the workspace.
         */
        put: operations["putArchive"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{sessionId}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what has changed in the workspace
         * @description Since the last archive that was put before the first run, else since it was empty; also what commands did. By default `text/x-diff` as `git apply` takes it, with modes, links and binary files; nothing when nothing has changed. With `Accept: application/json` a list. `.git` is left out, and so is what a `.gitignore` names, unless the archive brought it. Renames are told as a file less and one more.
         */
        get: operations["getDiff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the tools that an agent here can use */
        get: operations["listTools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the models that a session can name */
        get: operations["listModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Approval: {
            callId: string;
            sessionId: string;
            runId: string;
            round: number;
            tool: string;
            arguments: {
                [key: string]: unknown;
            };
            preview: components["schemas"]["Preview"];
            rememberRule: components["schemas"]["Rule"] | null;
            /** @description SHA-256, hex */
            digest: string;
            /** @enum {string} */
            status: "pending" | "approved" | "denied" | "expired" | "cancelled";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds
             */
            requestedAt: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds
             */
            decidedAt: string | null;
            by: components["schemas"]["By"] | null;
            reason: string | null;
        };
        /** @description An approval is asked for, or settled; a hint to fetch it. */
        ApprovalChangedNotice: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "approval_changed";
            callId: string;
            sessionId: string;
            /** @enum {string} */
            status: "pending" | "approved" | "denied" | "expired" | "cancelled";
        };
        ApprovalPage: {
            items: components["schemas"]["Approval"][];
            /** @description Give it as ?cursor= to go on; null: that was all */
            nextCursor: string | null;
        };
        /** @description A call waits for a decision on this plan. */
        ApprovalRequiredEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "approval_required";
            /** @description Position in the log of the session: 1, 2, 3 …, without gaps */
            seq: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds
             */
            at: string;
            sessionId: string;
            runId: string;
            callId: string;
            round: number;
            tool: string;
            preview: components["schemas"]["Preview"];
            /** @description SHA-256, hex */
            digest: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds
             */
            expiresAt: string | null;
            /** @description What the model was asked for to plan the call; counted in the run */
            usage?: {
                /** @description Tokens sent, those read from a cache included */
                inputTokens: number | null;
                outputTokens: number | null;
                cachedInputTokens: number | null;
                cacheWriteTokens: number | null;
                reasoningTokens: number | null;
                costUsd: number | null;
            };
            /** @description Somebody changed the arguments; these are what would run */
            editedArguments?: {
                arguments: {
                    [key: string]: unknown;
                };
                by: components["schemas"]["By"];
            };
        };
        /** @description The question is settled. */
        ApprovalResolvedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "approval_resolved";
            /** @description Position in the log of the session: 1, 2, 3 …, without gaps */
            seq: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds
             */
            at: string;
            sessionId: string;
            runId: string;
            callId: string;
            round: number;
            /** @description SHA-256, hex */
            digest: string;
            /** @enum {string} */
            outcome: "approved" | "denied" | "expired" | "cancelled" | "replaced";
            by: components["schemas"]["By"];
            reason: string | null;
            rule: components["schemas"]["Rule"] | null;
        };
        /** @description A model call ended. */
        AssistantMessageEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "assistant_message";
            /** @description Position in the log of the session: 1, 2, 3 …, without gaps */
            seq: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds
             */
            at: string;
            sessionId: string;
            runId: string;
            messageId: string;
            text: string;
            reasoning: string;
            calls: components["schemas"]["ToolCall"][];
            /** @enum {string} */
            finishReason: "stop" | "tool_calls" | "length" | "content_filter" | "cancelled" | "error";
            usage: components["schemas"]["Usage"];
            model: string;
            durationMs: number;
            /**
             * @description It was cut: cancelled, or the model failed
             * @constant
             */
            incomplete?: true;
        };
        By: {
            /** @enum {string} */
            kind: "key" | "policy" | "expiry" | "cancel";
            /** @description The name of the API key */
            name?: string;
        };
        /** @description The run shall stop; nothing starts from here on. */
        CancelRequestedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "cancel_requested";
            /** @description Position in the log of the session: 1, 2, 3 …, without gaps */
            seq: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds
             */
            at: string;
            sessionId: string;
            runId: string;
            by: components["schemas"]["By"];
            reason: string | null;
        };
        CancelRun: {
            reason?: string;
        };
        Capability: {
            name: string;
            available: boolean;
            /** @description Why not */
            reason: string | null;
        };
        /** @description History was shortened for the model; the log keeps all of it. */
        CompactionEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "compaction";
            /** @description Position in the log of the session: 1, 2, 3 …, without gaps */
            seq: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds
             */
            at: string;
            sessionId: string;
            runId: string;
            /** @enum {string} */
            reason: "window" | "overflow";
            replacedResults: {
                callId: string;
                note: string;
            }[];
            summary: {
                /** @description Position in the log of the session: 1, 2, 3 …, without gaps */
                throughSeq: number;
                text: string;
                usage: components["schemas"]["Usage"];
            } | null;
        };
        ContentPart: {
            /** @constant */
            type: "text";
            text: string;
        };
        CreateMessage: {
            content: string | components["schemas"]["ContentPart"][];
            /** @enum {string} */
            onBusy?: "reject" | "queue" | "interrupt";
            /** @enum {string} */
            onApproval?: "wait" | "deny" | "fail";
            cancelOnDisconnect?: boolean;
            limits?: components["schemas"]["RunLimitsInput"];
            /** @description `provider/name`, or `demo` */
            model?: string;
        };
        CreateSession: {
            /** @description Your own name for it, unique for your team; known: that session is returned with 200 */
            externalId?: string | null;
            title?: string | null;
            /** @description `provider/name`, or `demo` */
            model?: string;
            instructions?: string | null;
            policy?: components["schemas"]["PolicyInput"];
            limits?: components["schemas"]["RunLimitsInput"];
            metadata?: components["schemas"]["Metadata"];
        };
        DecideApproval: {
            /** @enum {string} */
            decision?: "approve" | "deny";
            /** @description SHA-256, hex */
            digest?: string;
            /** @description Told to the model when denied */
            reason?: string;
            /**
             * @description Add the narrowest rule that covers the call to the session
             * @constant
             */
            remember?: "session";
            arguments?: {
                [key: string]: unknown;
            };
        };
        DirectoryListing: {
            /** @description Relative to the workspace; empty: the workspace itself */
            path: string;
            entries: components["schemas"]["FileEntry"][];
            /** @description Give it as ?cursor= to go on; null: that was all */
            nextCursor: string | null;
        };
        Effect: {
            path: string;
            before: components["schemas"]["PathState"];
            after: components["schemas"]["PathState"];
        };
        /** @description What a stream carries: the events of the log, and previews of those to come. */
        Event: components["schemas"]["SessionStartEvent"] | components["schemas"]["SessionUpdateEvent"] | components["schemas"]["SessionEndEvent"] | components["schemas"]["PromptSetEvent"] | components["schemas"]["UserMessageEvent"] | components["schemas"]["RunStartEvent"] | components["schemas"]["AssistantMessageEvent"] | components["schemas"]["ApprovalRequiredEvent"] | components["schemas"]["ApprovalResolvedEvent"] | components["schemas"]["ToolCallStartEvent"] | components["schemas"]["ToolCallEndEvent"] | components["schemas"]["FilesChangedEvent"] | components["schemas"]["CancelRequestedEvent"] | components["schemas"]["CompactionEvent"] | components["schemas"]["RunEndEvent"] | components["schemas"]["TextDeltaEvent"] | components["schemas"]["ReasoningDeltaEvent"] | components["schemas"]["ToolCallDeltaEvent"] | components["schemas"]["ToolOutputDeltaEvent"] | components["schemas"]["RetryEvent"] | components["schemas"]["SnapshotEvent"] | components["schemas"]["ResetEvent"];
        EventPage: {
            items: components["schemas"]["SessionEvent"][];
            /** @description Give it as ?cursor= to go on; null: that was all */
            nextCursor: string | null;
        };
        FileChange: {
            path: string;
            /** @enum {string} */
            change: "added" | "modified" | "deleted";
            /** @enum {string|null} */
            oldMode: "100644" | "100755" | "120000" | null;
            /** @enum {string|null} */
            newMode: "100644" | "100755" | "120000" | null;
            binary: boolean;
            /** @description Lines; null of binary files */
            added: number | null;
            removed: number | null;
        };
        FileChangeList: {
            items: components["schemas"]["FileChange"][];
        };
        FileEntry: {
            name: string;
            /** @enum {string} */
            type: "file" | "directory" | "symlink" | "other";
            /** @description Bytes */
            size: number;
            /** @description Permission bits */
            mode: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds
             */
            mtime: string;
            /** @description Of a symlink: where it leads */
            target?: string;
            /** @description False: the name is not UTF-8, `name` only resembles it */
            addressable: boolean;
        };
        /** @description Files were changed over HTTP. */
        FilesChangedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "files_changed";
            /** @description Position in the log of the session: 1, 2, 3 …, without gaps */
            seq: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds
             */
            at: string;
            sessionId: string;
            /** @enum {string} */
            how: "put" | "delete" | "archive";
            paths: string[];
            /** @description Paths left out of the list */
            omitted: number;
            by: components["schemas"]["By"];
        };
        Health: {
            /** @constant */
            status: "ok";
        };
        Metadata: {
            [key: string]: string;
        };
        ModelInfo: {
            /** @description `provider/name`, or `demo` */
            name: string;
            /** @description New sessions get it */
            default: boolean;
            provider: string;
            /** @description Tokens of a request and its answer together; null: not known */
            contextWindow: number | null;
            /** @description Most tokens of one answer; null: the provider's own bound */
            maxOutputTokens: number | null;
            /** @description US dollars for a million tokens; null: costs are what the provider says, or not known */
            price: {
                input: number;
                output: number;
                cachedInput?: number;
                cacheWrite?: number;
            } | null;
            /** @description Asked in turn when it fails for good before its answer begins */
            fallback: string[];
        };
        ModelList: {
            items: components["schemas"]["ModelInfo"][];
        };
        /** @description What the stream of all sessions carries. Notices have no `id`: after a reconnect, fetch the lists. */
        Notice: components["schemas"]["SessionChangedNotice"] | components["schemas"]["ApprovalChangedNotice"];
        PathState: {
            /** @constant */
            type: "absent";
        } | {
            /** @constant */
            type: "file";
            /** @description SHA-256, hex */
            sha256: string;
            /** @description Permission bits */
            mode: number;
        } | {
            /** @constant */
            type: "symlink";
            /** @description SHA-256, hex */
            sha256: string;
        } | {
            /** @constant */
            type: "directory";
            inode: string;
            /** @description SHA-256, hex */
            manifest: string;
        };
        Policy: {
            /** @enum {string} */
            mode: "ask" | "auto" | "readOnly";
            rules: components["schemas"]["Rule"][];
        };
        PolicyInput: {
            /** @enum {string} */
            mode?: "ask" | "auto" | "readOnly";
            rules?: components["schemas"]["Rule"][];
        };
        Preview: {
            /** @description One line: what would happen */
            summary: string;
            /** @description What it touches, relative to the workspace */
            paths: string[];
            /** @description Unified diff of a write or an edit */
            diff: string | null;
            /** @description The beginning of new content */
            content: string | null;
            /** @description The command, whole */
            command: string | null;
            /** @description What else a person should know: entries removed, directory, limits */
            notes: string[];
            /** @description Something is cut; the whole is at GET /approvals/:callId */
            truncated: boolean;
            /** @description The texts contain characters that a reader would not see */
            unusualCharacters: boolean;
        };
        PreviewedMessage: {
            runId: string;
            messageId: string;
            text: string;
            reasoning: string;
            calls: {
                index: number;
                tool: string;
                arguments: string;
            }[];
        };
        PreviewedOutput: {
            runId: string;
            callId: string;
            text: string;
            /** @description UTF-16 units before `text` that are left out */
            omitted: number;
        };
        Problem: {
            /** Format: uri-reference */
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @description Stable, from the table of codes */
            code: string;
            canRetry: boolean;
            suggestion: string | null;
            requestId: string;
            errors?: {
                /** @description JSON pointer into the request */
                pointer: string;
                detail: string;
            }[];
        } & {
            [key: string]: unknown;
        };
        /** @description The system prompt and the tools, as they are sent to the model from here on. */
        PromptSetEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "prompt_set";
            /** @description Position in the log of the session: 1, 2, 3 …, without gaps */
            seq: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds
             */
            at: string;
            sessionId: string;
            runId: string;
            /** @enum {string} */
            reason: "first_run" | "model_switch" | "compaction";
            model: string;
            system: string;
            tools: components["schemas"]["ToolDeclaration"][];
        };
        PutArchive: {
            /** @description Regular files in it */
            files: number;
            /** @description Of these files together */
            bytes: number;
            /** @description The diff counts from here: no run had started */
            baseline: boolean;
        };
        PutFile: {
            path: string;
            /** @enum {string} */
            type: "file" | "directory";
            size: number;
            /** @description SHA-256, hex */
            sha256: string | null;
        };
        /** @description Without a key only `status` */
        Ready: {
            /** @enum {string} */
            status: "ready" | "not_ready";
            /** @description Why not */
            reason?: string | null;
            version?: string;
            capabilities?: components["schemas"]["Capability"][];
        };
        /** @description The model's reasoning as it is generated. */
        ReasoningDeltaEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "reasoning_delta";
            sessionId: string;
            runId: string;
            messageId: string;
            /** @description UTF-16 units of this text that came before */
            offset: number;
            text: string;
        };
        /** @description The cursor is not known; the log follows from 1. */
        ResetEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "reset";
            sessionId: string;
            reason: string | null;
        };
        /** @description The model call failed and is made again; what was shown of this message is void. */
        RetryEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "retry";
            sessionId: string;
            runId: string;
            messageId: string;
            attempt: number;
            delayMs: number;
            code: string;
            detail: string;
        };
        Rule: {
            /** @description A tool name or a glob over names */
            tool: string;
            /** @description A glob over paths in the workspace: *, ?, [a-z], {a,b}, and ** for any number of folders. For a command it is the directory it runs in; "." is the workspace itself. */
            path?: string;
            /** @description Words that a simple command begins with ("git log"). A * alone stands for any number of words, within a word for any characters, and then the whole command must match. "=" and a text is that one command, exactly, whatever it contains. */
            command?: string;
            /** @enum {string} */
            decision: "allow" | "ask" | "deny";
        };
        Run: {
            id: string;
            sessionId: string;
            messageId: string;
            /** @enum {string} */
            status: "queued" | "running" | "awaiting_approval" | "completed" | "failed" | "cancelled";
            /** @enum {string|null} */
            finishReason: "stop" | "max_steps" | "budget" | "loop_detected" | "error" | "cancelled" | null;
            text: string | null;
            error: components["schemas"]["RunError"] | null;
            usage: components["schemas"]["Usage"];
            steps: number;
            /** @description What waits for a decision */
            approvals: components["schemas"]["Approval"][];
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds
             */
            startedAt: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds
             */
            endedAt: string | null;
        };
        RunAnswer: {
            run: components["schemas"]["Run"];
            text: string | null;
            usage: components["schemas"]["Usage"];
        };
        /** @description The run is settled; nothing of it follows. */
        RunEndEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "run_end";
            /** @description Position in the log of the session: 1, 2, 3 …, without gaps */
            seq: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds
             */
            at: string;
            sessionId: string;
            runId: string;
            /** @enum {string} */
            status: "completed" | "failed" | "cancelled";
            /** @enum {string} */
            finishReason: "stop" | "max_steps" | "budget" | "loop_detected" | "error" | "cancelled";
            text: string | null;
            error: components["schemas"]["RunError"] | null;
            usage: components["schemas"]["Usage"];
            steps: number;
            /** @description Time at work: from start to end without the waits for approvals */
            durationMs: number;
        };
        RunError: {
            code: string;
            detail: string;
            canRetry: boolean;
            suggestion: string | null;
        };
        RunLimits: {
            /** @description Model calls in one run */
            maxSteps: number;
            /** @description Input and output tokens of one run together */
            maxTokens: number | null;
            /** @description Of one run, as far as its cost is known */
            maxCostUsd: number | null;
            /** @description Input and output tokens of all runs of the session together */
            maxSessionTokens?: number | null;
            /** @description Of all runs of the session, as far as their cost is known */
            maxSessionCostUsd?: number | null;
            /** @description Time that a run may work; waiting for an approval does not count */
            runTimeoutMs: number;
            /** @description How long an approval can be given; null: for ever */
            approvalTimeoutMs: number | null;
        };
        RunLimitsInput: {
            /** @description Model calls in one run */
            maxSteps?: number;
            /** @description Input and output tokens of one run together */
            maxTokens?: number | null;
            /** @description Of one run, as far as its cost is known */
            maxCostUsd?: number | null;
            /** @description Input and output tokens of all runs of the session together */
            maxSessionTokens?: number | null;
            /** @description Of all runs of the session, as far as their cost is known */
            maxSessionCostUsd?: number | null;
            /** @description Time that a run may work; waiting for an approval does not count */
            runTimeoutMs?: number;
            /** @description How long an approval can be given; null: for ever */
            approvalTimeoutMs?: number | null;
        };
        RunPage: {
            items: components["schemas"]["Run"][];
            /** @description Give it as ?cursor= to go on; null: that was all */
            nextCursor: string | null;
        };
        /** @description The run starts, or goes on after a restart of the server. */
        RunStartEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "run_start";
            /** @description Position in the log of the session: 1, 2, 3 …, without gaps */
            seq: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds
             */
            at: string;
            sessionId: string;
            runId: string;
            messageId: string;
            resumed: boolean;
            limits: components["schemas"]["RunLimits"];
            /** @description The note at the end of the user's turn, as the model gets it; null when resumed */
            environment: string | null;
        };
        SeenFile: {
            path: string;
            /** @description SHA-256, hex */
            sha256: string | null;
        };
        Session: {
            id: string;
            externalId: string | null;
            /** @enum {string} */
            status: "idle" | "running" | "awaiting_approval";
            title: string | null;
            model: string;
            instructions: string | null;
            policy: components["schemas"]["Policy"];
            limits: components["schemas"]["RunLimits"];
            metadata: components["schemas"]["Metadata"];
            usage: components["schemas"]["Usage"];
            createdBy: components["schemas"]["By"];
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds
             */
            updatedAt: string;
            /** @description Position in the log of the session: 1, 2, 3 …, without gaps */
            lastSeq: number;
        };
        /** @description A session was created, changed or deleted; a hint to fetch it. */
        SessionChangedNotice: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "session_changed";
            sessionId: string;
            /** @enum {string} */
            status: "idle" | "running" | "awaiting_approval" | "deleted";
        };
        /** @description The session was deleted; nothing follows. */
        SessionEndEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "session_end";
            /** @description Position in the log of the session: 1, 2, 3 …, without gaps */
            seq: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds
             */
            at: string;
            sessionId: string;
            by: components["schemas"]["By"];
        };
        /** @description A fact in the log of a session. */
        SessionEvent: components["schemas"]["SessionStartEvent"] | components["schemas"]["SessionUpdateEvent"] | components["schemas"]["SessionEndEvent"] | components["schemas"]["PromptSetEvent"] | components["schemas"]["UserMessageEvent"] | components["schemas"]["RunStartEvent"] | components["schemas"]["AssistantMessageEvent"] | components["schemas"]["ApprovalRequiredEvent"] | components["schemas"]["ApprovalResolvedEvent"] | components["schemas"]["ToolCallStartEvent"] | components["schemas"]["ToolCallEndEvent"] | components["schemas"]["FilesChangedEvent"] | components["schemas"]["CancelRequestedEvent"] | components["schemas"]["CompactionEvent"] | components["schemas"]["RunEndEvent"];
        SessionPage: {
            items: components["schemas"]["Session"][];
            /** @description Give it as ?cursor= to go on; null: that was all */
            nextCursor: string | null;
        };
        /** @description The session was created. */
        SessionStartEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "session_start";
            /** @description Position in the log of the session: 1, 2, 3 …, without gaps */
            seq: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds
             */
            at: string;
            sessionId: string;
            externalId: string | null;
            title: string | null;
            model: string;
            instructions: string | null;
            policy: components["schemas"]["Policy"];
            limits: components["schemas"]["RunLimits"];
            metadata: components["schemas"]["Metadata"];
            createdBy: components["schemas"]["By"];
            logVersion: number;
        };
        /** @description Settings changed; only those named here. */
        SessionUpdateEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "session_update";
            /** @description Position in the log of the session: 1, 2, 3 …, without gaps */
            seq: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds
             */
            at: string;
            sessionId: string;
            changes: {
                title?: string | null;
                model?: string;
                policy?: components["schemas"]["Policy"];
                limits?: components["schemas"]["RunLimits"];
                metadata?: components["schemas"]["Metadata"];
            };
            /** @description The approval whose remembered rule this is */
            callId?: string;
            by: components["schemas"]["By"];
        };
        /** @description From here on the stream is live; this replaces every preview that the client had. */
        SnapshotEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "snapshot";
            sessionId: string;
            message?: components["schemas"]["PreviewedMessage"];
            outputs: components["schemas"]["PreviewedOutput"][];
        };
        /** @description The answer as it is generated. */
        TextDeltaEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "text_delta";
            sessionId: string;
            runId: string;
            messageId: string;
            /** @description UTF-16 units of this text that came before */
            offset: number;
            text: string;
        };
        ToolCall: {
            callId: string;
            tool: string;
            arguments: {
                [key: string]: unknown;
            };
            /** @description The model sent no usable arguments; `arguments` is empty and the call is not run */
            invalidArguments?: {
                /** @enum {string} */
                reason: "invalid_json" | "not_an_object" | "truncated";
                /** @description What the model sent, as it was */
                text: string;
            };
        };
        /** @description The arguments of a call as they are generated. */
        ToolCallDeltaEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tool_call_delta";
            sessionId: string;
            runId: string;
            messageId: string;
            /** @description Which call of the message */
            index: number;
            tool: string;
            /** @description UTF-16 units of this text that came before */
            offset: number;
            text: string;
        };
        /** @description The call ended; `content`, or `error` as JSON, is what the model is told. */
        ToolCallEndEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tool_call_end";
            /** @description Position in the log of the session: 1, 2, 3 …, without gaps */
            seq: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds
             */
            at: string;
            sessionId: string;
            runId: string;
            callId: string;
            tool: string;
            ok: boolean;
            content?: string;
            error?: components["schemas"]["ToolError"];
            diff: string | null;
            /** @description What was written was read back and compared */
            verified: boolean | null;
            durationMs: number;
            truncated: boolean;
            /** @description Files as the model knows them after this call; null: not there */
            seen?: components["schemas"]["SeenFile"][];
            /** @description What the model was asked for to plan the call; counted in the run */
            usage?: {
                /** @description Tokens sent, those read from a cache included */
                inputTokens: number | null;
                outputTokens: number | null;
                cachedInputTokens: number | null;
                cacheWriteTokens: number | null;
                reasoningTokens: number | null;
                costUsd: number | null;
            };
        };
        /** @description The call is about to act. */
        ToolCallStartEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tool_call_start";
            /** @description Position in the log of the session: 1, 2, 3 …, without gaps */
            seq: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds
             */
            at: string;
            sessionId: string;
            runId: string;
            callId: string;
            tool: string;
            dangerous: boolean;
            /** @description SHA-256, hex */
            digest: string | null;
            effects: components["schemas"]["Effect"][];
            /** @description What the model was asked for to plan the call; counted in the run */
            usage?: {
                /** @description Tokens sent, those read from a cache included */
                inputTokens: number | null;
                outputTokens: number | null;
                cachedInputTokens: number | null;
                cacheWriteTokens: number | null;
                reasoningTokens: number | null;
                costUsd: number | null;
            };
        };
        ToolDeclaration: {
            name: string;
            description: string;
            parameters: {
                [key: string]: unknown;
            };
        };
        ToolError: {
            /** @description What went wrong, in a sentence */
            error: string;
            code: string;
            canRetry: boolean;
            /** @description What to do instead */
            suggestion: string | null;
        };
        ToolInfo: {
            name: string;
            description: string;
            dangerous: boolean;
            parameters: {
                [key: string]: unknown;
            };
        };
        ToolList: {
            items: components["schemas"]["ToolInfo"][];
        };
        /** @description The output of a running call as it appears. */
        ToolOutputDeltaEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tool_output_delta";
            sessionId: string;
            runId: string;
            callId: string;
            /** @description UTF-16 units of this text that came before */
            offset: number;
            text: string;
        };
        TranscriptItem: {
            id: string;
            /** @enum {string} */
            role: "user" | "assistant";
            runId: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds
             */
            at: string;
            content: components["schemas"]["ContentPart"][];
            toolCalls: components["schemas"]["TranscriptToolCall"][];
        };
        TranscriptPage: {
            items: components["schemas"]["TranscriptItem"][];
            /** @description Give it as ?cursor= to go on; null: that was all */
            nextCursor: string | null;
        };
        TranscriptToolCall: {
            callId: string;
            tool: string;
            arguments: {
                [key: string]: unknown;
            };
            /** @description null: not settled yet */
            ok: boolean | null;
            content: string | null;
            error: components["schemas"]["ToolError"] | null;
        };
        UpdateSession: {
            title?: string | null;
            /** @description `provider/name`, or `demo` */
            model?: string;
            policy?: components["schemas"]["PolicyInput"];
            limits?: components["schemas"]["RunLimitsInput"];
            metadata?: {
                [key: string]: string | null;
            } | null;
        };
        Usage: {
            /** @description Tokens sent, those read from a cache included */
            inputTokens: number | null;
            outputTokens: number | null;
            cachedInputTokens: number | null;
            cacheWriteTokens: number | null;
            reasoningTokens: number | null;
            costUsd: number | null;
        };
        /** @description A message was accepted; a run answers it. */
        UserMessageEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "user_message";
            /** @description Position in the log of the session: 1, 2, 3 …, without gaps */
            seq: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds
             */
            at: string;
            sessionId: string;
            runId: string;
            messageId: string;
            content: components["schemas"]["ContentPart"][];
            model: string;
            limits: components["schemas"]["RunLimits"];
            /** @enum {string} */
            onApproval: "wait" | "deny" | "fail";
            cancelOnDisconnect: boolean;
            by: components["schemas"]["By"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It does */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description `origin_not_allowed`: This origin may not call the server. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `host_not_allowed`: The server does not answer for this host. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getReady: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It does */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ready"];
                };
            };
            /** @description `origin_not_allowed`: This origin may not call the server. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `host_not_allowed`: The server does not answer for this host. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ready"];
                };
            };
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The gauges */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: No valid API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `origin_not_allowed`: This origin may not call the server. `scope_missing`: The API key may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `host_not_allowed`: The server does not answer for this host. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The store does not answer. `shutting_down`: The server is shutting down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getOpenapiYaml: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenAPI 3.1 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/yaml": string;
                };
            };
            /** @description `origin_not_allowed`: This origin may not call the server. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: No such route. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `host_not_allowed`: The server does not answer for this host. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getOpenapiJson: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenAPI 3.1 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            /** @description `origin_not_allowed`: This origin may not call the server. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: No such route. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `host_not_allowed`: The server does not answer for this host. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: {
                /** @description Items on a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
                status?: "idle" | "running" | "awaiting_approval";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of sessions */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionPage"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: No valid API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `origin_not_allowed`: This origin may not call the server. `scope_missing`: The API key may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `host_not_allowed`: The server does not answer for this host. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The store does not answer. `shutting_down`: The server is shutting down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description Quoted or bare, at most 255 characters: the same key and body never create a second one */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateSession"];
            };
        };
        responses: {
            /** @description The session that has this `externalId`, or was made with this key */
            200: {
                headers: {
                    /** @description The session */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description The new session */
            201: {
                headers: {
                    /** @description The session */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description `invalid_request`: The request is not valid. `unknown_model`: No such model here. `invalid_json`: The body is not JSON. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: No valid API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `origin_not_allowed`: This origin may not call the server. `scope_missing`: The API key may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The media type is not supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `host_not_allowed`: The server does not answer for this host. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_key_reused`: The idempotency key belongs to another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The store does not answer. `shutting_down`: The server is shutting down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_full`: The disk is full. */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: No valid API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `origin_not_allowed`: This origin may not call the server. `scope_missing`: The API key may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `session_not_found`: No such session. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `host_not_allowed`: The server does not answer for this host. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The store does not answer. `shutting_down`: The server is shutting down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: No valid API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `origin_not_allowed`: This origin may not call the server. `scope_missing`: The API key may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `session_not_found`: No such session. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `host_not_allowed`: The server does not answer for this host. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The store does not answer. `shutting_down`: The server is shutting down. `log_newer`: The session was written by a newer version. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateSession"];
                "application/merge-patch+json": components["schemas"]["UpdateSession"];
            };
        };
        responses: {
            /** @description The changed session */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description `invalid_request`: The request is not valid. `unknown_model`: No such model here. `invalid_json`: The body is not JSON. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: No valid API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `origin_not_allowed`: This origin may not call the server. `scope_missing`: The API key may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `session_not_found`: No such session. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The media type is not supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `host_not_allowed`: The server does not answer for this host. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The store does not answer. `shutting_down`: The server is shutting down. `log_newer`: The session was written by a newer version. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `log_full`: The log of this session is full. `storage_full`: The disk is full. */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listMessages: {
        parameters: {
            query?: {
                /** @description Items on a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the transcript */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TranscriptPage"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: No valid API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `origin_not_allowed`: This origin may not call the server. `scope_missing`: The API key may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `session_not_found`: No such session. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `host_not_allowed`: The server does not answer for this host. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The store does not answer. `shutting_down`: The server is shutting down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postMessage: {
        parameters: {
            query?: {
                /** @description When the answer ends: with the run, or already when it waits for an approval. Without it JSON and text end at the pause, a stream with the run. */
                until?: "end" | "pause";
                /** @description 0: no previews in the stream, only events of the log */
                ephemeral?: "0" | "1";
            };
            header?: {
                /** @description Quoted or bare, at most 255 characters: the same key and body never start a second run */
                "idempotency-key"?: string;
                /** @description `respond-async`: 202 at once; `wait=SECONDS`: 202 when the time is up. The run goes on. */
                prefer?: string;
            };
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateMessage"];
            };
        };
        responses: {
            /** @description The run completed; as a stream: the run's events, until `run_end` */
            200: {
                headers: {
                    /** @description The run */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAnswer"];
                    "text/plain": string;
                    "text/event-stream": components["schemas"]["Event"];
                };
            };
            /** @description The run asks for an approval, or goes on: `respond-async`, or the time of `wait` is up. As `text/plain` without a body. */
            202: {
                headers: {
                    /** @description The run */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            /** @description `invalid_request`: The request is not valid. `unknown_model`: No such model here. `invalid_json`: The body is not JSON. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: No valid API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `origin_not_allowed`: This origin may not call the server. `scope_missing`: The API key may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `session_not_found`: No such session. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: No answer in an accepted form. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `run_active`: A run is active in this session. `approval_required`: The run waits for an approval. `run_cancelled`: The run was cancelled. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The media type is not supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `host_not_allowed`: The server does not answer for this host. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_key_reused`: The idempotency key belongs to another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `run_failed`: The run failed. */
            424: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `too_many_queued`: Too many runs are queued in this session. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The store does not answer. `shutting_down`: The server is shutting down. `too_many_runs`: Too many runs are active. `too_many_streams`: Too many streams are open. `log_newer`: The session was written by a newer version. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `log_full`: The log of this session is full. `storage_full`: The disk is full. */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Items on a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
                /** @description Only events after this seq; `latest` in a stream: only those to come. `Last-Event-ID` wins. */
                after?: string;
                /** @description 0: no previews in the stream, only events of the log */
                ephemeral?: "0" | "1";
            };
            header?: {
                /** @description Seq of the last event that was received; sent by an EventSource when it comes back */
                "last-event-id"?: string;
            };
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The log */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                    "text/event-stream": components["schemas"]["Event"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: No valid API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `origin_not_allowed`: This origin may not call the server. `scope_missing`: The API key may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `session_not_found`: No such session. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: No answer in an accepted form. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `host_not_allowed`: The server does not answer for this host. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The store does not answer. `shutting_down`: The server is shutting down. `too_many_streams`: Too many streams are open. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    streamRunEvents: {
        parameters: {
            query?: {
                /** @description Only events after this seq; `latest` in a stream: only those to come. `Last-Event-ID` wins. */
                after?: string;
                /** @description 0: no previews in the stream, only events of the log */
                ephemeral?: "0" | "1";
            };
            header?: {
                /** @description Seq of the last event that was received; sent by an EventSource when it comes back */
                "last-event-id"?: string;
            };
            path: {
                sessionId: string;
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run's events */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["Event"];
                };
            };
            /** @description The cursor is at or past `run_end`: there is nothing more, and an EventSource stops */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: No valid API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `origin_not_allowed`: This origin may not call the server. `scope_missing`: The API key may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `run_not_found`: No such run. `session_not_found`: No such session. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: No answer in an accepted form. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `host_not_allowed`: The server does not answer for this host. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The store does not answer. `shutting_down`: The server is shutting down. `too_many_streams`: Too many streams are open. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    streamNotices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Notices */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["Notice"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: No valid API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `origin_not_allowed`: This origin may not call the server. `scope_missing`: The API key may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: No answer in an accepted form. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `host_not_allowed`: The server does not answer for this host. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The store does not answer. `shutting_down`: The server is shutting down. `too_many_streams`: Too many streams are open. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listRuns: {
        parameters: {
            query?: {
                /** @description Items on a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
                status?: "queued" | "running" | "awaiting_approval" | "completed" | "failed" | "cancelled";
            };
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of runs */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunPage"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: No valid API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `origin_not_allowed`: This origin may not call the server. `scope_missing`: The API key may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `session_not_found`: No such session. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `host_not_allowed`: The server does not answer for this host. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The store does not answer. `shutting_down`: The server is shutting down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description `wait=SECONDS`: answer when the run settles or asks for an approval, or when the time is up */
                prefer?: string;
            };
            path: {
                sessionId: string;
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run as it is */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: No valid API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `origin_not_allowed`: This origin may not call the server. `scope_missing`: The API key may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `run_not_found`: No such run. `session_not_found`: No such session. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `host_not_allowed`: The server does not answer for this host. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The store does not answer. `shutting_down`: The server is shutting down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancelRun"];
            };
        };
        responses: {
            /** @description The run; wait for its end with `Prefer: wait` on it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            /** @description `invalid_request`: The request is not valid. `invalid_json`: The body is not JSON. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: No valid API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `origin_not_allowed`: This origin may not call the server. `scope_missing`: The API key may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `run_not_found`: No such run. `session_not_found`: No such session. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The media type is not supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `host_not_allowed`: The server does not answer for this host. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The store does not answer. `shutting_down`: The server is shutting down. `log_newer`: The session was written by a newer version. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelActiveRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancelRun"];
            };
        };
        responses: {
            /** @description The run that was active */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            /** @description `invalid_request`: The request is not valid. `invalid_json`: The body is not JSON. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: No valid API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `origin_not_allowed`: This origin may not call the server. `scope_missing`: The API key may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `session_not_found`: No such session. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `no_active_run`: No run is active in this session. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The media type is not supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `host_not_allowed`: The server does not answer for this host. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The store does not answer. `shutting_down`: The server is shutting down. `log_newer`: The session was written by a newer version. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listApprovals: {
        parameters: {
            query?: {
                /** @description Items on a page */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
                status?: "pending" | "approved" | "denied" | "expired" | "cancelled";
                sessionId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of approvals */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalPage"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: No valid API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `origin_not_allowed`: This origin may not call the server. `scope_missing`: The API key may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `host_not_allowed`: The server does not answer for this host. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The store does not answer. `shutting_down`: The server is shutting down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                callId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The approval */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: No valid API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `origin_not_allowed`: This origin may not call the server. `scope_missing`: The API key may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `approval_not_found`: No such approval. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `host_not_allowed`: The server does not answer for this host. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The store does not answer. `shutting_down`: The server is shutting down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    decideApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                callId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecideApproval"];
            };
        };
        responses: {
            /** @description The approval as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
            /** @description `invalid_request`: The request is not valid. `invalid_json`: The body is not JSON. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: No valid API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `origin_not_allowed`: This origin may not call the server. `scope_missing`: The API key may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `approval_not_found`: No such approval. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `already_decided`: The approval is decided already. `approval_expired`: The approval has expired. `approval_cancelled`: The approval was cancelled with its run. `digest_required`: The plan has changed: name the digest that was seen. `digest_mismatch`: The plan is not the one that was seen. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The media type is not supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `host_not_allowed`: The server does not answer for this host. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_arguments`: The arguments do not fit the tool. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The store does not answer. `shutting_down`: The server is shutting down. `log_newer`: The session was written by a newer version. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `log_full`: The log of this session is full. */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getFile: {
        parameters: {
            query?: {
                /** @description Of a directory: entries on a page */
                limit?: number;
                /** @description Of a directory: `nextCursor` of the page before */
                cursor?: string;
            };
            header?: {
                /** @description ETags: only if the file is one of these; `*`: only if it is there */
                "if-match"?: string;
                /** @description `*`: only if nothing is there; for GET also ETags, answered 304 */
                "if-none-match"?: string;
            };
            path: {
                sessionId: string;
                /** @description Path in the workspace, percent-encoded; slashes may stand as they are */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The directory, or the bytes of the file */
            200: {
                headers: {
                    /** @description SHA-256 of the content, quoted */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                    "application/json": components["schemas"]["DirectoryListing"];
                };
            };
            /** @description The file is one of those that If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: The request is not valid. `invalid_path`: The path names nothing that can be in a workspace. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: No valid API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `origin_not_allowed`: This origin may not call the server. `scope_missing`: The API key may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `session_not_found`: No such session. `file_not_found`: Nothing is at this path of the workspace. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_a_file`: Something else than a regular file is at or in this path. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `precondition_failed`: The file is not as the request expects it. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `host_not_allowed`: The server does not answer for this host. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The store does not answer. `shutting_down`: The server is shutting down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    putFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags: only if the file is one of these; `*`: only if it is there */
                "if-match"?: string;
                /** @description `*`: only if nothing is there; for GET also ETags, answered 304 */
                "if-none-match"?: string;
            };
            path: {
                sessionId: string;
                /** @description Path in the workspace, percent-encoded; slashes may stand as they are */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description It was there; a file has this content now */
            200: {
                headers: {
                    /** @description SHA-256 of the content, quoted */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PutFile"];
                };
            };
            /** @description It was made */
            201: {
                headers: {
                    /** @description SHA-256 of the content, quoted */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PutFile"];
                };
            };
            /** @description `invalid_request`: The request is not valid. `invalid_path`: The path names nothing that can be in a workspace. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: No valid API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `origin_not_allowed`: This origin may not call the server. `scope_missing`: The API key may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `session_not_found`: No such session. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `request_timeout`: The request came too slowly. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_a_file`: Something else than a regular file is at or in this path. `file_changed`: The file is changing. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `precondition_failed`: The file is not as the request expects it. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The media type is not supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `host_not_allowed`: The server does not answer for this host. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The store does not answer. `shutting_down`: The server is shutting down. `log_newer`: The session was written by a newer version. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `workspace_full`: The workspace is full. `log_full`: The log of this session is full. `storage_full`: The disk is full. */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteFile: {
        parameters: {
            query?: {
                /** @description Needed for a directory that is not empty */
                recursive?: boolean;
            };
            header?: {
                /** @description ETags: only if the file is one of these; `*`: only if it is there */
                "if-match"?: string;
                /** @description `*`: only if nothing is there; for GET also ETags, answered 304 */
                "if-none-match"?: string;
            };
            path: {
                sessionId: string;
                /** @description Path in the workspace, percent-encoded; slashes may stand as they are */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: The request is not valid. `invalid_path`: The path names nothing that can be in a workspace. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: No valid API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `origin_not_allowed`: This origin may not call the server. `scope_missing`: The API key may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `session_not_found`: No such session. `file_not_found`: Nothing is at this path of the workspace. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_a_file`: Something else than a regular file is at or in this path. `directory_not_empty`: The directory is not empty. `file_changed`: The file is changing. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `precondition_failed`: The file is not as the request expects it. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `host_not_allowed`: The server does not answer for this host. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The store does not answer. `shutting_down`: The server is shutting down. `log_newer`: The session was written by a newer version. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `log_full`: The log of this session is full. `storage_full`: The disk is full. */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getArchive: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The archive */
            200: {
                headers: {
                    /** @description Links, devices, and names that are no UTF-8, which are left out */
                    "Omitted-Entries"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/gzip": string;
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: No valid API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `origin_not_allowed`: This origin may not call the server. `scope_missing`: The API key may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `session_not_found`: No such session. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `host_not_allowed`: The server does not answer for this host. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The store does not answer. `shutting_down`: The server is shutting down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    putArchive: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/gzip": string;
            };
        };
        responses: {
            /** @description It is the workspace now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PutArchive"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: No valid API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `origin_not_allowed`: This origin may not call the server. `scope_missing`: The API key may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `session_not_found`: No such session. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `request_timeout`: The request came too slowly. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `run_active`: A run is active in this session. `file_changed`: The file is changing. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The media type is not supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `host_not_allowed`: The server does not answer for this host. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `invalid_archive`: The archive cannot be taken. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The store does not answer. `shutting_down`: The server is shutting down. `log_newer`: The session was written by a newer version. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `workspace_full`: The workspace is full. `log_full`: The log of this session is full. `storage_full`: The disk is full. */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDiff: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The patch, or the list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/x-diff": string;
                    "application/json": components["schemas"]["FileChangeList"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: No valid API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `origin_not_allowed`: This origin may not call the server. `scope_missing`: The API key may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `session_not_found`: No such session. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: No answer in an accepted form. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `file_changed`: The file is changing. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `diff_too_large`: Too much has changed for one patch. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `host_not_allowed`: The server does not answer for this host. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The store does not answer. `shutting_down`: The server is shutting down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listTools: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All tools */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolList"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: No valid API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `origin_not_allowed`: This origin may not call the server. `scope_missing`: The API key may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `host_not_allowed`: The server does not answer for this host. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The store does not answer. `shutting_down`: The server is shutting down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All models */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelList"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: No valid API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `origin_not_allowed`: This origin may not call the server. `scope_missing`: The API key may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `host_not_allowed`: The server does not answer for this host. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The store does not answer. `shutting_down`: The server is shutting down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
