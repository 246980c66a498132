/**
 * Every bound of the server, in one place: name, unit, reason.
 * Where a ceiling can be set by the operator, `config.ts` starts from the value here.
 */
import assert from 'node:assert/strict'

const KiB = 1024
const MiB = 1024 * KiB

// Requests
export const bodyBytesMax = 1 * MiB // JSON bodies; a message of 512 Ki units as UTF-8 in JSON fits most scripts
export const listenBacklog = 4_096 // connections that wait to be accepted: a burst of a thousand streams fits; the system may cut it
export const headerBytesMax = 16 * KiB // Node's default, said aloud
export const requestTimeoutMs = 60_000 // a slow body holds a socket, nothing else
export const headersTimeoutMs = 20_000
export const timeoutCheckMs = 2_000 // how often the two above are looked at; Node's 30 s would let a slow client stay that long
export const keepAliveTimeoutMs = 72_000 // longer than the 60 s of common proxies, so that they close first
export const paramLengthMax = 255 // characters of one path parameter: an externalId fits
export const validationErrorsMax = 20 // told about one request
export const logBufferLength = 1 * MiB // of log lines that stderr does not take (UTF-16 units); newer ones are dropped
export const apiKeysMax = 1_000 // each is compared on every request
export const apiKeyLengthMin = 16 // shorter ones can be guessed
export const jsonDepthMax = 64 // deeper bodies break recursive code, and no client needs them
export const titleLengthMax = 200
export const externalIdLengthMax = 200
export const instructionsLengthMax = 64 * KiB
export const modelNameLengthMax = 200
export const reasonLengthMax = 4 * KiB
export const messageLengthMax = 512 * KiB
export const contentPartsMax = 64
export const idempotencyKeyLengthMax = 255
export const idempotencyKeyTtlMs = 24 * 3600_000 // a client that retries longer than a day is a new request
export const keySweepMs = 3600_000 // how often keys whose time is over are removed
export const keysPerSweepStep = 1_000 // a few milliseconds of the writer's time, between the appends of sessions
export const waitMsMax = 10 * 60_000 // Prefer: wait; beyond it proxies have given up

// Lists
export const pageSizeDefault = 50
export const pageSizeMax = 200

// Runs
export const maxStepsDefault = 50
export const maxStepsMax = 200
export const runTimeoutMsDefault = 30 * 60_000
export const runTimeoutMsMax = 24 * 3600_000
export const approvalTimeoutMsMax = 365 * 24 * 3600_000 // setTimeout is re-armed, so it may exceed 2^31 ms
export const activeRunsMax = 1_000 // what one process on two cores streams without falling behind
export const queuedRunsMax = 20 // per session
export const stopsMax = 5 // of the server, in a row without progress of a run: the run is what brings it down
export const approvalRoundsMax = 3 // the file changes faster than people can look
export const repeatedCallsWarn = 3 // same call, same result: the model is told
export const repeatedCallsMax = 5 // and then stopped
export const callsPerStepMax = 64
export const restartDelayMs = 1_000 // after a failed append: the disk may be full for a while, and a busy loop helps nobody
export const conflictsMax = 1_000 // of one append: every conflict is somebody else's success; so many in a row is a fault of ours
export const expiredPerStep = 100 // sessions whose approvals are expired, before it is asked for more
export const expiryRetryMs = 5_000 // after the store has refused it
export const purgedEventsPerStep = 1_000 // of a deleted session: a few milliseconds of the writer's time, between other sessions' appends
export const purgeRetryMs = 10_000 // after files or store have refused it
export const safeCallsAtOnce = 8
export const quickCallMs = 20 // a safe call that ends within it has start and end in one append; later nobody would see it begin
export const disconnectGraceMsDefault = 10_000 // cancelOnDisconnect: time to come back

// Events
export const eventBytesMax = 4 * MiB // one event in the log; results and arguments have smaller bounds
export const logBytesMax = 1024 * MiB // per session
export const shownLengthMax = 4 * KiB // texts repeated in events are cut here (UTF-16 units)
export const previewLengthMax = 1 * MiB // a whole preview, kept beside its event
export const newContentShown = 500 // characters of new content in a preview
export const previewNotesMax = 50
export const changedPathsMax = 100
export const seenFilesMax = 200 // per session: what the model knows of files

// Streams
export const streamBufferBytes = 1 * MiB // behind a slow reader; more, and the stream is cut
export const streamsMax = 10_000 // open event streams of the process
export const replayPageEvents = 200
export const replayPageBytes = 1 * MiB
export const replayGatherLength = 64 * KiB // of a replay, UTF-16 units: less waits for the end of the turn, and for what follows in it
export const recentEventsMax = 64 // events of a session at work that are in memory for those who join
export const recentEventsLength = 64 * KiB // UTF-16 units of these
export const heartbeatMsDefault = 15_000 // proxies cut idle connections after 60 s
export const outputPreviewLength = 64 * KiB // of a running call, kept for snapshots
export const stalledReaderMs = 60_000 // no byte taken for so long: the reader is dead
export const streamRetryMs = 2_000 // what an EventSource waits before it comes back after a cut
export const streamsRetryAfterS = 5 // too many streams, or a restart: when to ask again
export const cursorLengthMax = 128 // of ?after=

// Model calls
export const modelConnectTimeoutMs = 10_000
export const modelFirstByteTimeoutMs = 300_000 // a local model reads a long prompt
export const modelIdleTimeoutMs = 120_000
export const modelTotalTimeoutMs = 30 * 60_000
export const modelRetriesDefault = 3
export const modelRetryBaseMs = 500
export const modelRetryWaitMsMax = 60_000
export const modelAnswerBytesMax = 2 * MiB // UTF-8 of one answer: text, reasoning and arguments; a model that never stops
export const modelCallsMax = 256 // calls in one answer
export const modelArgumentsLengthMax = 1 * MiB // of one call
export const modelErrorBodyBytes = 2 * KiB // kept of an answer that is no stream
export const sseEventBytesMax = 4 * MiB // one event from a model, or an answer that is no stream
export const modelDetailLengthMax = 500 // shown of what a provider says
export const modelReadAheadBytes = 256 * KiB // of an answer that its reader is slow to take; then its socket waits
export const modelDrainMs = 1_000 // after the end of an answer, for the connection to become free
export const modelKeepAliveMs = 30_000 // an idle connection; the next step of a run is near
export const modelLateEndMs = 5_000 // after a finish reason, for usage and end mark
export const modelGoOnMax = 5 // times that a provider may pause in one answer and be asked to go on
export const anthropicOutputTokensDefault = 16_384 // its API wants a number; 1 MiB of arguments does not fit any model's
export const demoWordDelayMs = 15 // between the words of the demo model
export const demoWordsMax = 20_000 // of a text that the demo model makes up
export const demoBodyBytesMax = 8 * MiB // of a request to the demo model's server

// Long conversations
export const compactionReserveShare = 0.15 // of the context window, for the answer where no bound on it is known
export const compactionTargetShare = 0.5 // of what fits beside the prompt: the prefix changes with every compaction, so it should be seldom
export const charactersPerToken = 4 // of text that no provider has counted yet
export const charactersPerTokenMax = 10 // a provider that counts fewer tokens than this does not count all of them
export const compactedResultMin = 400 // characters of a tool result; a note instead of a shorter one gains nothing
export const overflowCompactionsMax = 2 // before one answer, when the provider says that the request is too long
export const summaryLengthMax = 16 * KiB // of what stands in for older turns
export const summaryLengthMin = 500 // also where the prompt leaves no room: less says nothing
export const summaryInputMax = 256 * KiB // of the transcript that is summarised
export const summarisedMessageMax = 4 * KiB // of one message in it

// Tools
export const readBytesMax = 256 * KiB // one read_file
export const readLinesDefault = 2_000
export const listEntriesMax = 1_000
export const listDepthMax = 8
export const writeBytesMax = 1 * MiB // one write_file: it came as arguments
export const editBytesMax = 8 * MiB // a file to be edited
export const editsMax = 100
export const instructBytesMax = 256 * KiB // a file that is shown to the model for an edit by instruction
export const instructionLengthMax = 8 * KiB // of an edit by instruction; more is the new text itself
export const instructAnswerLengthMax = 256 * KiB // what the model answers with its edits
export const instructAttemptsMax = 2 // answers asked for, until edits fit
export const instructFaultLengthMax = 2 * KiB // told of the edits that did not fit, when it is asked again
export const deleteEntriesMax = 20_000
export const nearNamesMax = 5
export const readTrailerBytes = 512 // of a read_file's bytes kept for the note on how to go on
export const diffEditLengthMax = 1_000 // lines added and removed; the cost is its square, and nobody reads more
export const diffTimeoutMs = 500 // a diff is for people; then the whole text is shown as replaced
export const resultDiffLengthMax = 64 * KiB // of a call that has ended (UTF-16 units)
export const blankRunMax = 60 // spaces or tabs in a row shown as they are: more can push text out of sight
export const emptyLinesMax = 20 // in a row, shown as they are
export const replacementsMax = 100_000 // places changed by one edit
export const nearWorkMax = 20_000_000 // characters compared with each other for the nearest line: 0.2 s
export const nearLinesConsidered = 20_000 // lines compared for the nearest match of an edit
export const nearLineLengthMax = 200 // characters of each
export const nearTextShown = 600 // characters of the file quoted in an error
export const matchLinesShown = 10 // line numbers in an error

// Policy
export const rulesMax = 200 // of a session
export const ruleTextLengthMax = 1_024 // a path or a command in a rule
export const globAlternativesMax = 64 // that the braces of one glob stand for
export const commandReadLengthMax = 16 * KiB // longer ones are not read by policy, so never allowed by a rule: 0.1 s to parse
export const commandNestingMax = 4 // scripts within scripts: `bash -c "eval '…'"`
export const ruleStepsMax = 100_000 // comparisons for one rule: 200 rules made to be slow take a second; then a person is asked
export const commandsReadMax = 1_000 // simple commands compared with the rules; with more, a person is asked
export const wrappedWordsMax = 64 // of `sudo …` and its kind: each may be where the command begins

// Workspace
export const pathBytesMax = 4_095 // PATH_MAX less one
export const nameBytesMax = 255 // NAME_MAX
export const pathDepthMax = 64
export const workspaceBytesMax = 1024 * MiB
export const workspaceFilesMax = 100_000
export const manifestEntriesMax = 20_000 // entries hashed into a directory's manifest
export const linksFollowedMax = 40 // in one path, as the kernel does
export const newFileMode = 0o644 // of a file that was not there; commands may run as another user
export const readAtOnceBytes = 64 * KiB // a file of this size is read without a trip to the thread pool, which takes longer than the read
export const copyChunkBytes = 256 * KiB // read or hashed at a time: what a thread of the pool is held for
export const usageAgeMsMax = 60_000 // commands write too: a workspace is counted again after so long
export const entriesAtOnce = 500 // entries of directories looked at before others get their turn: 2 ms
export const refilledFoldersMax = 100 // a folder that is being removed and filled by a command: then it is left for the next recovery
export const usageMetersMax = 1_000 // sessions whose count is kept
export const nearNamesConsidered = 2_000 // names in a directory compared for "did you mean"

// Files over HTTP
export const uploadBytesMax = 256 * MiB // one file
export const archiveBytesMax = 512 * MiB // an archive as it is sent, compressed; what comes out of it has the quota
export const archiveRatioMax = 200 // bytes out for each byte in: text gives 5 to 50, a bomb 1,000
export const archiveFreeBytes = 64 * MiB // before the ratio is looked at: a small archive of zeros is harmless
export const archiveSyncsAtOnce = 4 // threads of the pool that a received archive may use
export const directoryPageDefault = 200
export const directoryPageMax = 1_000
export const directoryCursorLengthMax = 344 // a name of 255 bytes in base64
export const placeAttemptsMax = 5 // an upload without a condition against something that keeps changing the file
export const diffFilesMax = 20_000 // changed files in one patch
export const diffTextBytesMax = 8 * MiB // larger files are told as binary
export const diffFileEditMax = 2_000 // lines added and removed; beyond it the middle is told as replaced
export const diffFileTimeoutMs = 200 // likewise: it is the event loop's time
export const diffContextLines = 3 // as git has it

// Commands
export const commandTextBytesMax = 32 * KiB // of one command; the kernel takes 128 KiB as one argument
export const commandTimeoutMsDefault = 120_000 // a test suite or an install
export const commandTimeoutMsMax = 20 * 60_000 // a build
export const commandMemoryBytes = 2048 * MiB // resident, all processes of a command together
export const processMemoryBytes = 1024 * MiB // data of one process; the address space is not bounded: runtimes reserve 16 GiB of it
export const commandDiskBytes = workspaceBytesMax // by which free space may shrink
export const commandDiskFiles = workspaceFilesMax // by which free inodes may shrink
export const freeDiskBytesMin = 1024 * MiB // the store and other sessions need the rest
export const commandOutputBytes = 64 * MiB // written in all; then it is a loop
export const commandProcessesMax = 128 // of one command; a parallel build has fewer
export const commandNiceness = 10 // so that the event loop has its turn on a busy host
export const commandOpenFilesMax = 1_024 // of one process: what most systems give
export const commandCpuSeconds = 20 * 60 // of one process: no more than the longest command takes on one core
export const commandFileBytes = 256 * MiB // one file that a command writes
export const sharedMemoryBytes = 16 * MiB // /dev/shm
export const temporaryBytes = 64 * MiB // /tmp, which is memory
export const homeTmpfsBytes = 16 * MiB // caches of tools, gone with the command
export const captureEndBytes = 32 * KiB // of stdout and of stderr, at each end
export const watchdogIntervalMs = 100 // a disk takes 1 GiB/s: what can be written between two looks
export const treeProcessesMax = 512 // looked at in one round: more than a command may have
export const outputGraceMs = 500 // after the end of a command, for its last output to arrive
export const sandboxStartMs = 2_000 // for bwrap to end when it is to stop; then it is killed, wherever it is
export const statusBytesMax = 4 * KiB // of what bwrap tells about itself
export const probeTimeoutMs = 10_000 // of the sandbox's check at the start, also on a busy host
export const stdoutShown = 32 * KiB // of a command's stdout, told to a model (UTF-16 units)
export const stderrShown = 16 * KiB
export const failedOutputShown = 4 * KiB // of each stream of a command that was stopped
export const binaryShare = 0.1 // of characters that no text has: beyond it a stream is binary
export const outputFeedMs = 100 // between two pieces of output for those who watch
export const outputFeedLength = 16 * KiB // of one piece (UTF-16 units); nobody reads faster

// Network of commands, where the operator has opened one
export const networkRulesMax = 200 // destinations that a policy names
export const networkRuleLengthMax = 260 // a host name has at most 253 characters, and a port
export const networkPortsDefault: readonly number[] = [443, 80] // of a rule without one
export const networkConnectionsMax = 64 // at once, of one command; package managers open 15 to 50
export const networkBytesMax = 1024 * MiB // of one command, both ways together: no more than it may put on the disk
export const networkConnectMs = 10_000 // for the look-up of a name, and again for the connection
export const networkIdleMs = 120_000 // of a connection without a byte; a build server thinks for less
export const networkLookupsAtOnce = 2 // of all commands: each holds one of four threads that files are read with
export const networkDestinationsShown = 20 // in the description of run_command, which every request carries
export const networkRefusalsShown = 10 // destinations named to the model

// Search
export const searchTimeoutMs = 5_000 // of a search; what was found until then is told
export const searchWorkerGraceMs = 1_000 // beyond it, before a thread that does not answer is ended
export const searchResultsDefault = 100 // matching lines
export const searchResultsMax = 500
export const findResultsDefault = 200 // files
export const findResultsMax = 2_000
export const searchContextMax = 10 // lines before and after a match
export const searchPatternLengthMax = 1_000
export const globLengthMax = 500
export const searchLineLengthMax = 400 // of a line in a result (UTF-16 units)
export const searchFileBytesMax = 2 * MiB // a larger file is data
export const searchResultBytesMax = 64 * KiB // of what a model is told
export const searchEntriesMax = workspaceFilesMax // looked at without ripgrep
export const ripgrepLineBytesMax = 16 * MiB // one message of ripgrep: a long line and where in it the matches are
export const ignoredMatchesShown = 10 // files that .gitignore leaves out, named when nothing else matches
export const ignoreLinesMax = 1_000 // of one .gitignore
export const gitignoreBytesMax = 64 * KiB

// Store
export const appendsPerCommitMax = 256
export const busyTimeoutMs = 5_000 // another process holds the database
export const storeReadBusyTimeoutMs = 100 // a read waits on the event loop, and only while a crash is recovered from
export const repliesPerTurn = 24 // appends whose ends are told in one turn of the event loop
export const queuedAppendsMax = 10_000 // waiting for the disk; more, and it is not coming back in time
export const queuedAppendBytesMax = 256 * MiB // UTF-16 units of JSON that wait with them
export const checkpointPages = 4_000 // 16 MiB of WAL: few fsyncs of the database, quick recovery
export const walBytesKept = 64 * MiB // a WAL that grew under load is cut back to this
export const scannedEventsPerSlice = 1_000 // of a filtered read, before the event loop has its turn
export const seeksPerSlice = 200 // of a list by metadata, likewise

// Shutdown
export const shutdownTimeoutMs = 10_000

assert(readBytesMax < eventBytesMax && modelAnswerBytesMax < eventBytesMax && modelArgumentsLengthMax <= modelAnswerBytesMax)
assert(modelConnectTimeoutMs < modelFirstByteTimeoutMs && modelFirstByteTimeoutMs < modelTotalTimeoutMs)
assert(writeBytesMax <= modelArgumentsLengthMax && writeBytesMax <= editBytesMax)
assert(repeatedCallsWarn < repeatedCallsMax && pageSizeDefault <= pageSizeMax)
assert(eventBytesMax < queuedAppendBytesMax && appendsPerCommitMax <= queuedAppendsMax)
assert(deleteEntriesMax <= manifestEntriesMax)
assert(commandTimeoutMsDefault <= commandTimeoutMsMax && commandTimeoutMsMax <= runTimeoutMsDefault)
assert(processMemoryBytes <= commandMemoryBytes && commandProcessesMax < treeProcessesMax)
