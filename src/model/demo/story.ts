import type { Language } from './task.ts'

const sentences: Readonly<Record<Language, readonly string[]>> = {
  en: [
    'The barge reached the lock before dawn, and nobody was there to open it.',
    'The keeper slept in the small white house, and the water slept with him.',
    'A heron stood on the gate and looked at both levels as if it had to choose.',
    'The captain rang the bell once, then waited, because a lock is a lesson in patience.',
    'At last the sluices opened and the boat rose so slowly that only the walls seemed to move.',
    'On the upper side lay a long straight canal with poplars and a first light.',
    'Whoever goes through a lock arrives as the same person on another level.'
  ],
  fr: [
    'La péniche atteignit l\'écluse avant l\'aube, et personne n\'était là pour ouvrir.',
    'L\'éclusier dormait dans la petite maison blanche, et l\'eau dormait avec lui.',
    'Un héron se tenait sur la porte et regardait les deux niveaux comme s\'il devait choisir.',
    'Le capitaine sonna une fois, puis attendit, car une écluse est une leçon de patience.',
    'Enfin les vannes s\'ouvrirent et le bateau monta si lentement que seuls les murs semblaient bouger.',
    'En haut s\'étendait un long canal droit, avec des peupliers et une première lumière.',
    'Qui passe une écluse arrive le même, mais à un autre niveau.'
  ]
}

/** A text of exactly `words` words, always the same; each paragraph has a number, so that a gap is seen. */
export function tellStory (words: number, language: Language): string {
  const all = sentences[language]
  const paragraphs: string[] = []
  let left = words
  for (let number = 1; left > 0; number++) {
    const paragraph = [`${number}.`]
    for (const sentence of all) paragraph.push(...sentence.split(' '))
    paragraphs.push(paragraph.slice(0, left).join(' '))
    left -= paragraph.length
  }
  return paragraphs.join('\n\n')
}
