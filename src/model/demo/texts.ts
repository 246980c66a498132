import type { Language, ToolTask } from './task.ts'

/** What the demo model says, in each language. */
export interface Texts {
  readonly usage: string
  readonly introduction: string
  readonly greeting: string
  unknown (part: string): string
  intention (task: ToolTask, position: number, total: number): string
  read (path: string, excerpt: string, cut: boolean): string
  listed (path: string, listing: string): string
  ran (command: string, output: string): string
  done (task: ToolTask): string
  denied (task: ToolTask, reason: string): string
  failed (task: ToolTask, error: string): string
  readonly goingOn: string
  stopping (left: number): string
  finished (done: number, failed: number): string
  missingTool (tool: string): string
  thought (about: string): string
  readonly thoughtDone: string
}

const en: Texts = {
  usage: [
    'I am Écluse\'s demo model: no artificial intelligence, only a few rules, so that you can try everything without a key. I understand, for example:',
    '',
    '- `read notes.txt`',
    '- `write hello.txt with "Hello"`',
    '- `replace "Hello" with "Good day" in hello.txt`',
    '- `list`, or `list src`',
    '- `move hello.txt to greetings/hello.txt`',
    '- `delete hello.txt`, or `delete folder greetings`',
    '- `run "ls -l"`',
    '- `write a long story of 500 words`, `think about locks`',
    '',
    'Join several with "then": `read notes.txt, then write hello.txt with "Hello", then list`. French works as well.'
  ].join('\n'),
  introduction: 'Demo model here, a small interpreter without intelligence. ',
  greeting: 'Hello! ',
  unknown: (part) => part === '' ? 'That is beyond me. ' : `I do not understand "${part}". `,
  intention: (task, position, total) => `${total > 1 ? `Step ${position} of ${total}: ` : ''}I ${verbEn(task)}.`,
  read: (path, excerpt, cut) => `Here is ${path}${cut ? ' (its beginning)' : ''}:\n\n${excerpt}\n`,
  listed: (path, listing) => `In ${path === '.' ? 'the workspace' : path}:\n\n${listing}\n`,
  ran: (command, output) => `\`${command}\` says:\n\n${output}\n`,
  done: (task) => `Done: ${doneEn(task)}.`,
  denied: (task, reason) => `I was not allowed to ${baseEn(task)}${reason === '' ? '' : ` (${reason})`}, so I leave it.`,
  failed: (task, error) => `I could not ${baseEn(task)}: ${error}`,
  goingOn: ' I go on with the rest.',
  stopping: (left) => left === 0 ? '' : ` I stop here; ${left === 1 ? 'one step is' : `${left} steps are`} left undone.`,
  finished: (done, failed) => failed === 0 ? `All ${done} steps are done.` : `${done} of ${done + failed} steps are done.`,
  missingTool: (tool) => `I would need the tool ${tool}, which is not offered here.`,
  thought: (about) => `The question is ${about === '' ? 'what to think about' : about}. First I look at it from one side. Then from the other. Both have something for them. A demo model cannot decide, but it can take its time.`,
  thoughtDone: 'I have thought about it, as far as a demo model can.'
}

const fr: Texts = {
  usage: [
    'Je suis le modèle de démonstration d\'Écluse : aucune intelligence artificielle, seulement quelques règles, pour tout essayer sans clé. Je comprends par exemple :',
    '',
    '- `lis notes.txt`',
    '- `écris bonjour.txt avec « Bonjour »`',
    '- `remplace « Bonjour » par « Bonsoir » dans bonjour.txt`',
    '- `liste`, ou `liste src`',
    '- `déplace bonjour.txt vers textes/bonjour.txt`',
    '- `supprime bonjour.txt`, ou `supprime le dossier textes`',
    '- `exécute "ls -l"`',
    '- `écris une longue histoire de 500 mots`, `réfléchis à une écluse`',
    '',
    'Reliez-en plusieurs par « puis » : `lis notes.txt, puis écris bonjour.txt avec « Bonjour », puis liste`. L\'anglais marche aussi.'
  ].join('\n'),
  introduction: 'Ici le modèle de démonstration, un petit interprète sans intelligence. ',
  greeting: 'Bonjour ! ',
  unknown: (part) => part === '' ? 'Cela me dépasse. ' : `Je ne comprends pas « ${part} ». `,
  intention: (task, position, total) => `${total > 1 ? `Étape ${position} sur ${total} : ` : ''}${verbFr(task)}.`,
  read: (path, excerpt, cut) => `Voici ${path}${cut ? ' (le début)' : ''} :\n\n${excerpt}\n`,
  listed: (path, listing) => `Dans ${path === '.' ? 'l\'espace de travail' : path} :\n\n${listing}\n`,
  ran: (command, output) => `\`${command}\` répond :\n\n${output}\n`,
  done: (task) => `C'est fait : ${doneFr(task)}.`,
  denied: (task, reason) => `On ne m'a pas permis de ${baseFr(task)}${reason === '' ? '' : ` (${reason})`} ; je laisse donc.`,
  failed: (task, error) => `Je n'ai pas pu ${baseFr(task)} : ${error}`,
  goingOn: ' Je continue avec le reste.',
  stopping: (left) => left === 0 ? '' : ` Je m'arrête là ; il reste ${left === 1 ? 'une étape' : `${left} étapes`}.`,
  finished: (done, failed) => failed === 0 ? `Les ${done} étapes sont faites.` : `${done} étapes sur ${done + failed} sont faites.`,
  missingTool: (tool) => `Il me faudrait l'outil ${tool}, qui n'est pas proposé ici.`,
  thought: (about) => `La question est ${about === '' ? 'de savoir à quoi réfléchir' : about}. Je la regarde d'abord d'un côté. Puis de l'autre. Les deux se défendent. Un modèle de démonstration ne peut pas trancher, mais il peut prendre son temps.`,
  thoughtDone: 'J\'y ai réfléchi, autant que le peut un modèle de démonstration.'
}

export const texts: Readonly<Record<Language, Texts>> = { en, fr }

function baseEn (task: ToolTask): string {
  switch (task.kind) {
    case 'read': return `read ${task.path}`
    case 'write': return `write ${task.path}`
    case 'replace': case 'rewrite': return `change ${task.path}`
    case 'list': return `list ${task.path}`
    case 'move': return `move ${task.from} to ${task.to}`
    case 'delete': return `delete ${task.path}`
    case 'run': return `run \`${task.command}\``
    default: return task satisfies never
  }
}

function verbEn (task: ToolTask): string {
  return `will ${baseEn(task)}`
}

function doneEn (task: ToolTask): string {
  switch (task.kind) {
    case 'read': return `${task.path} is read`
    case 'write': return `${task.path} is written`
    case 'replace': case 'rewrite': return `${task.path} is changed`
    case 'list': return `${task.path} is listed`
    case 'move': return `${task.from} is now ${task.to}`
    case 'delete': return `${task.path} is gone`
    case 'run': return `\`${task.command}\` has run`
    default: return task satisfies never
  }
}

function baseFr (task: ToolTask): string {
  switch (task.kind) {
    case 'read': return `lire ${task.path}`
    case 'write': return `écrire ${task.path}`
    case 'replace': case 'rewrite': return `modifier ${task.path}`
    case 'list': return `lister ${task.path}`
    case 'move': return `déplacer ${task.from} vers ${task.to}`
    case 'delete': return `supprimer ${task.path}`
    case 'run': return `exécuter \`${task.command}\``
    default: return task satisfies never
  }
}

function verbFr (task: ToolTask): string {
  return `je vais ${baseFr(task)}`
}

function doneFr (task: ToolTask): string {
  switch (task.kind) {
    case 'read': return `${task.path} est lu`
    case 'write': return `${task.path} est écrit`
    case 'replace': case 'rewrite': return `${task.path} est modifié`
    case 'list': return `${task.path} est listé`
    case 'move': return `${task.from} est maintenant ${task.to}`
    case 'delete': return `${task.path} n'existe plus`
    case 'run': return `\`${task.command}\` a tourné`
    default: return task satisfies never
  }
}
