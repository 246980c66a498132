import type { By, Usage } from '../api/types.ts'
import { locale, t } from './text.ts'

const clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' })
const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' })
const short = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 })
const money = new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD', maximumFractionDigits: 4 })

export function timeOf (at: string): string { return clock.format(new Date(at)) }

/** The hour if it is today, else the day. */
export function whenOf (at: string): string {
  const date = new Date(at)
  return date.toDateString() === new Date().toDateString() ? clock.format(date).slice(0, 5) : day.format(date)
}

export function durationOf (ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1_000).toLocaleString(locale, { maximumFractionDigits: 1 })} s`
  const seconds = Math.round(ms / 1_000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** Empty where nothing was counted. */
export function tokensOf ({ inputTokens, outputTokens, costUsd }: Usage): string {
  if (inputTokens === null && outputTokens === null) return ''
  const count = (n: number | null): string => n === null ? '?' : short.format(n)
  const cost = costUsd === null || costUsd === 0 ? '' : ` · ${money.format(costUsd)}`
  return t('tokens', { input: count(inputTokens), output: count(outputTokens) }) + cost
}

/** What there is of it, in a line. */
export function lineOf (...parts: readonly string[]): string { return parts.filter((part) => part !== '').join(' · ') }

export function sizeOf (bytes: number): string {
  const [value, unit] = bytes < 1024 ? [bytes, ''] : bytes < 1024 ** 2 ? [bytes / 1024, 'Ki'] : [bytes / 1024 ** 2, 'Mi']
  return `${value.toLocaleString(locale, { maximumFractionDigits: 1 })} ${unit}${locale === 'fr' ? 'o' : 'B'}`
}

export function byOf (by: By): string {
  switch (by.kind) {
    case 'key': return by.name ?? t('byKey')
    case 'policy': return t('byPolicy')
    case 'expiry': return t('byExpiry')
    case 'cancel': return t('byCancel')
    default: return by.kind satisfies never
  }
}
