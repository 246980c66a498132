/** The beginning of an answer, and whether that is all; the rest is not fetched. */
export async function firstBytes (response: Response, max: number): Promise<{ bytes: Uint8Array<ArrayBuffer>, whole: boolean }> {
  const pieces: Array<Uint8Array<ArrayBuffer>> = []
  let size = 0
  const reader = response.body?.getReader()
  while (size <= max) {
    const piece = (await reader?.read())?.value
    if (piece === undefined) break
    pieces.push(piece)
    size += piece.length
  }
  await reader?.cancel()
  const bytes = new Uint8Array(await new Blob(pieces).arrayBuffer())
  return { bytes: bytes.subarray(0, max), whole: size <= max }
}
