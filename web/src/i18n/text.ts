import { en, type TextKey } from './en.ts'
import { fr } from './fr.ts'

/** The first of the browser's languages that there are texts for. */
export const locale: 'en' | 'fr' = navigator.languages.map((language) => language.slice(0, 2)).find((language) => language === 'fr' || language === 'en') === 'fr' ? 'fr' : 'en'

const texts: Record<TextKey, string> = locale === 'fr' ? fr : en

const number = new Intl.NumberFormat(locale)

/** The text, with each `{name}` replaced; numbers are written as the language does. */
export function t (key: TextKey, values: Record<string, string | number> = {}): string {
  return texts[key].replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name]
    return typeof value === 'number' ? number.format(value) : value ?? whole
  })
}
