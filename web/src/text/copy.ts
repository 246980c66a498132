/**
 * To the clipboard, also where the page is not served over TLS and browsers offer no clipboard.
 * @returns whether it is there
 */
export async function copyText (text: string): Promise<boolean> {
  const clipboard = navigator.clipboard as Clipboard | undefined // absent in insecure contexts, whatever the types say
  try {
    if (clipboard !== undefined) {
      await clipboard.writeText(text)
      return true
    }
  } catch {} // not permitted; the older way may be
  return copySelected(text)
}

function copySelected (text: string): boolean {
  const focused = document.activeElement
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'offscreen'
  document.body.append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  return done
}
