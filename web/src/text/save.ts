/** Gives a file to the person, as a download: never opened, whatever it holds. */
export function saveAs (name: string, content: Blob | string): void {
  const blob = typeof content === 'string' ? new Blob([content], { type: 'application/octet-stream' }) : content.slice(0, content.size, 'application/octet-stream')
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => { URL.revokeObjectURL(url) }, 10_000)
}
