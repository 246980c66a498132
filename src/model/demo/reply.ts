import type { ModelMessage, ModelRequest } from '../model.ts'
import { isObject, parseJson } from '../json.ts'
import { parseRequest } from './parse-request.ts'
import { answerInstruction } from './instruction.ts'
import { tellStory } from './story.ts'
import { callOf, isToolTask, pathsOf, type Language, type Task, type ToolTask } from './task.ts'
import { texts, type Texts } from './texts.ts'

/** What the demo model says next: text, and at most one call. */
export interface DemoReply {
  readonly reasoning: string
  readonly text: string
  readonly call: { readonly tool: string, readonly arguments: Record<string, unknown> } | null
}

interface Result {
  readonly ok: boolean
  readonly content: string
}

const excerptLengthMax = 1_500
const denials = ['denied', 'denied_by_policy', 'approval_expired']

/** The next message of the conversation. Pure: what was done is read from the results since the last user message. */
export function replyTo ({ messages, tools }: ModelRequest): DemoReply {
  const edits = answerInstruction(messages)
  if (edits !== null) return plain(edits)
  const start = messages.findLastIndex(({ role }) => role === 'user')
  const asked = messages[start]
  const request = parseRequest(asked?.role === 'user' ? asked.content : '')
  const say = texts[request.language]
  switch (request.kind) {
    case 'greeting': return plain(say.greeting + say.usage)
    case 'help': return plain(say.usage)
    case 'unknown': return plain(say.unknown(request.part) + say.usage)
    case 'tasks': {
      const first = !messages.slice(0, start).some(({ role }) => role === 'assistant')
      return nextStep(request.tasks, request.language, resultsAfter(messages, start), tools.map(({ name }) => name), first ? say.introduction : '')
    }
    default: return request satisfies never
  }
}

function plain (text: string): DemoReply {
  return { reasoning: '', text, call: null }
}

function resultsAfter (messages: readonly ModelMessage[], start: number): Result[] {
  return messages.slice(start + 1).flatMap((message) => message.role === 'tool' ? [{ ok: message.ok, content: message.content }] : [])
}

/** Tells about the last result, then goes on to the next call, with what needs none told on the way. */
function nextStep (tasks: readonly Task[], language: Language, results: readonly Result[], tools: readonly string[], introduction: string): DemoReply {
  const say = texts[language]
  const calls = tasks.filter(isToolTask)
  const failed = results.filter(({ ok }) => !ok).length
  const last = results.at(-1)
  const lastTask = calls[results.length - 1]
  const said: string[] = []
  if (last !== undefined && lastTask !== undefined) {
    const left = calls.slice(results.length)
    if (last.ok) said.push(describe(lastTask, last.content, say))
    else {
      const { denied, message } = readError(last.content)
      const needed = left.some((task) => pathsOf(task).some((path) => pathsOf(lastTask).includes(path)))
      const stops = denied || needed
      said.push((denied ? say.denied(lastTask, message) : say.failed(lastTask, message)) + (stops ? say.stopping(left.length) : left.length > 0 ? say.goingOn : ''))
      if (stops) return plain(said.join('\n'))
    }
  }
  let reasoning = ''
  const position = lastTask === undefined ? 0 : tasks.indexOf(lastTask) + 1
  for (const task of tasks.slice(position)) {
    if (isToolTask(task)) {
      const call = callOf(task)
      if (!tools.includes(call.tool)) return { reasoning, text: introduction + [...said, say.missingTool(call.tool)].join('\n\n'), call: null }
      const intention = say.intention(task, results.length + 1, calls.length)
      const text = results.length === 0 ? introduction + [...said, intention].join('\n\n') : [...said, intention].join('\n\n')
      return { reasoning, text, call }
    }
    if (task.kind === 'think') {
      reasoning += (reasoning === '' ? '' : '\n\n') + say.thought(task.about)
      if (task === tasks.at(-1)) said.push(say.thoughtDone)
    } else {
      said.push(tellStory(task.words, language))
    }
  }
  if (calls.length > 1) said.push(say.finished(results.length - failed, failed))
  return { reasoning, text: said.join('\n\n'), call: null }
}

function describe (task: ToolTask, content: string, say: Texts): string {
  const excerpt = content.length > excerptLengthMax ? `${content.slice(0, excerptLengthMax).trimEnd()}\n…` : content.trimEnd()
  switch (task.kind) {
    case 'read': return say.read(task.path, excerpt, excerpt.endsWith('\n…'))
    case 'list': return say.listed(task.path, excerpt)
    case 'run': return say.ran(task.command, excerpt)
    case 'write': case 'replace': case 'rewrite': case 'move': case 'delete': return say.done(task)
    default: return task satisfies never
  }
}

function readError (content: string): { denied: boolean, message: string } {
  const value = parseJson(content)
  if (!isObject(value) || typeof value['error'] !== 'string') return { denied: false, message: content.slice(0, excerptLengthMax) }
  const suggestion = typeof value['suggestion'] === 'string' ? ` ${value['suggestion']}` : ''
  const denied = denials.some((code) => code === value['code'])
  return { denied, message: denied ? value['error'].replace(/\.$/, '') : value['error'] + suggestion }
}
