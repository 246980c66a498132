interface Range { readonly type: string, readonly q: number }

/**
 * The offer that an `Accept` header likes best; the earlier offer wins a tie. No header, or one without a single
 * readable range, accepts everything. Null: none of the offers is acceptable.
 * @param offers media types without parameters, in lower case
 */
export function negotiate<T extends string> (accept: string | undefined, offers: readonly T[]): T | null {
  const ranges = (accept ?? '').split(',').flatMap(readRange)
  if (ranges.length === 0) return offers[0] ?? null
  let best: T | null = null
  let bestQ = 0
  for (const offer of offers) {
    const q = qualityOf(offer, ranges)
    if (q > bestQ) [best, bestQ] = [offer, q]
  }
  return best
}

// The most specific range decides (RFC 9110, 12.5.1): `text/plain;q=0, */*` means all but plain text.
function qualityOf (offer: string, ranges: readonly Range[]): number {
  for (const name of [offer, `${offer.slice(0, offer.indexOf('/'))}/*`, '*/*']) {
    const found = ranges.filter(({ type }) => type === name)
    if (found.length > 0) return Math.max(...found.map(({ q }) => q))
  }
  return 0
}

function readRange (text: string): Range[] {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  if (!/^(\*\/\*|[!#$&^_.+\w-]+\/(\*|[!#$&^_.+\w-]+))$/.test(type)) return []
  const quality = parameters.find((parameter) => /^q\s*=/.test(parameter))
  const q = quality === undefined ? 1 : Number(quality.slice(quality.indexOf('=') + 1))
  return [{ type, q: q >= 0 && q <= 1 ? q : 1 }]
}
