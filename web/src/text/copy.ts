/** To the clipboard, also where the page is not served over TLS and browsers offer no clipboard. */
export async function copyText (text: string): Promise<void> {
  const clipboard = navigator.clipboard as Clipboard | undefined // absent in insecure contexts, whatever the types say
  if (clipboard !== undefined) {
    await clipboard.writeText(text)
    return
  }
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'offscreen'
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}
