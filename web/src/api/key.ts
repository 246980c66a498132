const storageKey = 'ecluse.key'

/** A link brings the key behind `#`; it is kept for this tab and leaves the address, and so the history. */
export function takeKey (): void {
  const key = new URLSearchParams(location.hash.slice(1)).get('key')
  if (key === null || key === '') return
  keepKey(key)
  history.replaceState(null, '', `${location.pathname}${location.search}`)
}

export function keepKey (key: string | null): void {
  if (key === null) sessionStorage.removeItem(storageKey)
  else sessionStorage.setItem(storageKey, key)
}

export function currentKey (): string | null {
  return sessionStorage.getItem(storageKey)
}

/** What a request carries; without a key the server may still answer, when authentication is off. */
export function authorization (): Record<string, string> {
  const key = currentKey()
  return key === null ? {} : { authorization: `Bearer ${key}` }
}
