import { demoWordsMax } from '../../limits.ts'
import type { DemoRequest, Language, Task } from './task.ts'

/**
 * Quoted texts are taken out before anything is looked for, so that a content may say "then" or hold a path.
 * Each leaves a mark that no keyboard writes.
 */
interface Sentence {
  readonly text: string
  readonly quoted: readonly string[]
}

type Build = (groups: Readonly<Record<string, string | undefined>>, text: (marked: string | undefined) => string) => Task

interface Form {
  readonly language: Language
  readonly pattern: RegExp
  readonly build: Build
}

const defaultStoryWords = 400
const sentenceLengthMax = 4_000
const notesMax = 8
const please = '(?:please |s[\'’]il te pla[iî]t,? |s[\'’]il vous pla[iî]t,? |can you |could you |peux-tu |pouvez-vous )?'
const article = '(?:(?:the |a |le |la |un |une |l[\'’])?(?:(?:new |nouveau |text )?(?:file|fichier|folder|directory|dossier|répertoire|repertoire) )?(?:named |called |nommé |appelé )?)'

function form (language: Language, source: string, build: Build): Form {
  return { language, pattern: new RegExp(`^${please}${source}$`, 'iu'), build }
}

const read: Build = ({ path }, text) => ({ kind: 'read', path: text(path) })
const write: Build = ({ path, content }, text) => ({ kind: 'write', path: text(path), content: text(content) })
const replace: Build = ({ path, old, new: by, all }, text) => ({
  kind: 'replace', path: text(path), oldText: text(old), newText: text(by), everywhere: all !== undefined
})
const rewrite: Build = ({ path, old, new: by }, text) => ({
  kind: 'rewrite', path: text(path), instruction: `replace ${JSON.stringify(text(old))} by ${JSON.stringify(text(by))}`
})
const list: Build = ({ path }, text) => ({ kind: 'list', path: path === undefined ? '.' : text(path) })
const move: Build = ({ from, to }, text) => ({ kind: 'move', from: text(from), to: text(to) })
const remove: Build = ({ path, folder }, text) => ({ kind: 'delete', path: text(path), recursive: folder !== undefined })
const run: Build = ({ command }, text) => ({ kind: 'run', command: text(command) })
const think: Build = ({ about }, text) => ({ kind: 'think', about: about === undefined ? '' : text(about) })
const story: Build = ({ words }) => ({ kind: 'story', words: Math.max(1, Math.min(demoWordsMax, words === undefined ? defaultStoryWords : Number(words))) })

/** In this order: the first that fits. */
const forms: readonly Form[] = [
  form('en', 'write (?:me )?(?:a |an )?(?:very )?(?:long |short )?(?:story|text|essay)(?: (?:of|with) (?<words>\\d{1,9}) words)?', story),
  form('fr', '[ée]cri[st](?:-moi)? (?:un |une )?(?:très )?(?:longue? |courte? )?(?:histoire|texte|récit)(?: (?:de|d[\'’]|avec) ?(?<words>\\d{1,9}) mots)?', story),
  form('en', '(?:read|show|open|print|display|cat)(?: me)? ' + article + '(?<path>\\S+)', read),
  form('fr', '(?:lis|lire|montre|affiche|ouvre)(?:-moi)? ' + article + '(?<path>\\S+)', read),
  form('en', '(?:write|create|make|save) ' + article + '(?<path>\\S+?)(?::| with(?: the)?(?: text| content)?| containing) (?<content>.+)', write),
  form('en', '(?:write|put|save) (?<content>\\S+) (?:to|into|in) ' + article + '(?<path>\\S+)', write),
  form('fr', '(?:[ée]cri[st]|écrire|crée|cree|créer|creer|enregistre) ' + article + '(?<path>\\S+?)(?: ?:| avec(?: le)?(?: texte| contenu)?| contenant) (?<content>.+)', write),
  form('fr', '(?:[ée]cri[st]|mets|enregistre) (?<content>\\S+) (?:dans|vers) ' + article + '(?<path>\\S+)', write),
  form('en', '(?:in ' + article + '(?<path>\\S+?),? )(?:replace|change) (?<all>all |every )?(?<old>\\S+) (?:with|by|to) (?<new>\\S+)', replace),
  form('en', '(?:replace|change) (?<all>all |every )?(?<old>\\S+) (?:with|by|to) (?<new>\\S+) in ' + article + '(?<path>\\S+)', replace),
  form('fr', '(?:dans ' + article + '(?<path>\\S+?),? )remplacer? (?<all>tous les |toutes les )?(?<old>\\S+) par (?<new>\\S+)', replace),
  form('fr', 'remplacer? (?<all>tous les |toutes les )?(?<old>\\S+) par (?<new>\\S+) dans ' + article + '(?<path>\\S+)', replace),
  form('en', 'rewrite ' + article + '(?<path>\\S+) so that (?<old>\\S+) becomes (?<new>\\S+)', rewrite),
  form('fr', 'r[ée][ée]cri[st] ' + article + '(?<path>\\S+) pour que (?<old>\\S+) devienne (?<new>\\S+)', rewrite),
  form('en', '(?:list|ls)(?: (?:all )?(?:the )?files)?(?: (?:in|of))?(?: ' + article + '(?<path>\\S+))?', list),
  form('fr', '(?:liste|lister)(?: (?:tous )?(?:les )?fichiers)?(?: (?:de|dans|du))?(?: ' + article + '(?<path>\\S+))?', list),
  form('en', '(?:move|rename|mv) ' + article + '(?<from>\\S+) (?:to|into|as) (?<to>\\S+)', move),
  form('fr', '(?:d[ée]placer?|renommer?) ' + article + '(?<from>\\S+) (?:vers|en|dans|à|a) (?<to>\\S+)', move),
  form('en', '(?:delete|remove|rm) (?<folder>the (?:folder|directory) |folder |directory )?' + article + '(?<path>\\S+)', remove),
  form('fr', '(?:supprimer?|effacer?) (?<folder>(?:le )?(?:dossier|répertoire|repertoire) )?' + article + '(?<path>\\S+)', remove),
  form('en', '(?:run|execute) (?:the command )?(?<command>.+)', run),
  form('fr', '(?:ex[ée]cuter?|lance) (?:la commande )?(?<command>.+)', run),
  form('en', 'think(?: hard)?(?: (?:about |of |over )?(?<about>.+))?', think),
  form('fr', '(?:pense|penser|r[ée]fl[ée]chi[rs]*)(?: bien)?(?: (?:à |a |sur )?(?<about>.+))?', think)
]

const joiner = /\s*(?:[,.;]\s+)?(?:\band then\b|\bthen\b|\bet puis\b|\bpuis\b|\bet ensuite\b|\bensuite\b|\baprès cela\b)\s*,?\s*|\s*;\s+|\s*\n+\s*/iu
const greeting = /^(?<en>hi|hello|hey|good (?:morning|evening|afternoon))\b|^(?<fr>bonjour|bonsoir|salut|coucou)(?!\p{L})/iu
const help = /^(?<en>help|\?|what can you do|who are you)|^(?<fr>aide|que (?:peux|sais)-tu faire|qui es-tu)/iu
const french = /[àâçéèêëîïôûùœ«»]|(?<!\p{L})(?:le|la|les|un|une|des|du|dans|est|je|tu|il|fichier|merci|quel|quelle|pourquoi|comment|puis|ensuite|avec)(?!\p{L})/iu

/** Understands a message, or says which part it does not. Pure. */
export function parseRequest (message: string): DemoRequest {
  const words = withoutNotes(message)
  const whole = parseSentence(takeQuotes(words))
  // A server may have put something behind what the person wrote.
  const paragraph = words.trimStart().split('\n\n', 1)[0] ?? ''
  if (whole.kind !== 'unknown' || paragraph.length === words.length) return whole
  const first = parseSentence(takeQuotes(paragraph))
  return first.kind === 'unknown' ? whole : first
}

function parseSentence (sentence: Sentence): DemoRequest {
  const greets = greeting.exec(sentence.text)
  // Long texts outside of quotes are no instructions, and the patterns below are not meant for them.
  if (sentence.text.length > sentenceLengthMax) return notTasks(sentence, greets, '')
  const asked = greets === null ? sentence.text : sentence.text.slice(greets[0].length).replace(/^[\s,.!;:]+/u, '')
  const parts = asked.split(joiner).map(withoutEnd).filter((part) => part !== '')
  const tasks: Task[] = []
  let language: Language | null = null
  for (const part of parts) {
    const found = parsePart(part, sentence.quoted)
    if (found === null) return notTasks(sentence, greets, part)
    tasks.push(found.task)
    language ??= found.language
  }
  return language === null ? notTasks(sentence, greets, '') : { kind: 'tasks', language, tasks }
}

/** Without the mark that ends a sentence; a dot that stands alone is a path. */
function withoutEnd (part: string): string {
  const trimmed = part.trim()
  return /(?:^|\s)\.{1,2}$/.test(trimmed) ? trimmed : trimmed.replace(/[\s.!?]{1,20}$/u, '')
}

function notTasks (sentence: Sentence, greets: RegExpExecArray | null, part: string): DemoRequest {
  if (greets !== null) return { kind: 'greeting', language: greets.groups?.['fr'] === undefined ? 'en' : 'fr' }
  const helps = help.exec(sentence.text)
  if (helps !== null) return { kind: 'help', language: helps.groups?.['fr'] === undefined ? 'en' : 'fr' }
  const shown = part.replace(/[\ue000-\uf8ff]/gu, (mark) => `"${unmark(mark, sentence.quoted)}"`)
  return { kind: 'unknown', language: french.test(sentence.text) ? 'fr' : 'en', part: shown }
}

function parsePart (part: string, quoted: readonly string[]): { task: Task, language: Language } | null {
  for (const { pattern, build, language } of forms) {
    const match = pattern.exec(part)
    if (match === null) continue
    const text = (marked: string | undefined): string => unmark(marked ?? '', quoted)
    return { task: build(match.groups ?? {}, text), language }
  }
  return null
}

const quotes = /"([^"]*)"|“([^“”]*)”|«([^«»]*)»|`([^`]+)`|(?<![\p{L}\p{N}])'([^']*)'(?!\p{L})/gu
const firstMark = 0xe000
const marksMax = 0xf8ff - firstMark

/** Replaces each quoted text by one character of the private use area. */
function takeQuotes (message: string): Sentence {
  const quoted: string[] = []
  const text = message.replace(/[\ue000-\uf8ff]/gu, ' ').replace(quotes, (whole, ...groups: unknown[]) => {
    if (quoted.length > marksMax) return whole
    const inner = groups.slice(0, 5).find((group): group is string => typeof group === 'string') ?? ''
    quoted.push(whole.startsWith('«') ? inner.replace(/^\s|\s$/g, '') : inner)
    return String.fromCharCode(firstMark + quoted.length - 1)
  })
  return { text: text.replace(/[^\S\n]+/g, ' ').replace(/\n[\n ]*/g, '\n').trim(), quoted }
}

function unmark (text: string, quoted: readonly string[]): string {
  return text.replace(/[\ue000-\uf8ff]/gu, (mark) => quoted[mark.charCodeAt(0) - firstMark] ?? '')
}

/** Leaves out notes that stand behind the person's words in blocks of their own, such as `<environment>…`. */
function withoutNotes (message: string): string {
  let rest = message.trimEnd()
  for (let notes = 0; notes < notesMax; notes++) {
    const tag = /<\/([a-z][\w-]{0,40})>$/.exec(rest.slice(-50))?.[1]
    const start = tag === undefined ? -1 : rest.lastIndexOf(`\n<${tag}`)
    if (start === -1) return rest
    rest = rest.slice(0, start).trimEnd()
  }
  return rest
}
