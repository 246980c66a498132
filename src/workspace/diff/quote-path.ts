const escapes: Readonly<Record<number, string>> = { 7: '\\a', 8: '\\b', 9: '\\t', 10: '\\n', 11: '\\v', 12: '\\f', 13: '\\r', 34: '\\"', 92: '\\\\' }

/** A path with its prefix as git writes it into a patch: bare, or in quotes with escapes when it has unusual bytes. */
export function quotePath (path: string): string {
  const bytes = Buffer.from(path)
  if (bytes.every((byte) => byte >= 32 && byte < 127 && escapes[byte] === undefined)) return path
  const quoted = [...bytes].map((byte) => escapes[byte] ?? (byte < 32 || byte >= 127 ? `\\${byte.toString(8).padStart(3, '0')}` : String.fromCharCode(byte)))
  return `"${quoted.join('')}"`
}
