/** For `Idempotency-Key`: `crypto.randomUUID` is there only over TLS and on loopback. */
export function uniqueKey (): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
