export type Language = 'en' | 'fr'

/** One thing that the demo model can be asked for. */
export type Task =
  | { readonly kind: 'read', readonly path: string }
  | { readonly kind: 'write', readonly path: string, readonly content: string }
  | { readonly kind: 'replace', readonly path: string, readonly oldText: string, readonly newText: string, readonly everywhere: boolean }
  /** By an instruction, which the model is asked about beside the conversation. */
  | { readonly kind: 'rewrite', readonly path: string, readonly instruction: string }
  | { readonly kind: 'list', readonly path: string }
  | { readonly kind: 'move', readonly from: string, readonly to: string }
  | { readonly kind: 'delete', readonly path: string, readonly recursive: boolean }
  | { readonly kind: 'run', readonly command: string }
  | { readonly kind: 'think', readonly about: string }
  | { readonly kind: 'story', readonly words: number }

export type ToolTask = Exclude<Task, { kind: 'think' | 'story' }>

/** What a message asks for. */
export type DemoRequest =
  | { readonly kind: 'tasks', readonly language: Language, readonly tasks: readonly Task[] }
  | { readonly kind: 'greeting' | 'help', readonly language: Language }
  /** `part` could not be understood. */
  | { readonly kind: 'unknown', readonly language: Language, readonly part: string }

export function isToolTask (task: Task): task is ToolTask {
  return task.kind !== 'think' && task.kind !== 'story'
}

/** The call that does a task. */
export function callOf (task: ToolTask): { tool: string, arguments: Record<string, unknown> } {
  switch (task.kind) {
    case 'read': return { tool: 'read_file', arguments: { path: task.path } }
    case 'write': return { tool: 'write_file', arguments: { path: task.path, content: task.content } }
    case 'replace': return {
      tool: 'edit_file',
      arguments: { path: task.path, edits: [{ oldText: task.oldText, newText: task.newText, ...(task.everywhere ? { replaceAll: true } : {}) }] }
    }
    case 'rewrite': return { tool: 'edit_file', arguments: { path: task.path, instruction: task.instruction } }
    case 'list': return { tool: 'list_dir', arguments: { path: task.path } }
    case 'move': return { tool: 'move_file', arguments: { from: task.from, to: task.to } }
    case 'delete': return { tool: 'delete_file', arguments: { path: task.path, ...(task.recursive ? { recursive: true } : {}) } }
    case 'run': return { tool: 'run_command', arguments: { command: task.command } }
    default: return task satisfies never
  }
}

/** The paths that a task needs. */
export function pathsOf (task: Task): readonly string[] {
  switch (task.kind) {
    case 'read': case 'write': case 'replace': case 'rewrite': case 'list': case 'delete': return [task.path]
    case 'move': return [task.from, task.to]
    case 'run': case 'think': case 'story': return []
    default: return task satisfies never
  }
}
