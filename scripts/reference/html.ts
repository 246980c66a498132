const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export function escapeHtml (text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character)
}

/** Text of a description: `code` in backticks, paragraphs at empty lines. Of Markdown the contract uses no more. */
export function prose (text: string): string {
  if (text === '') return ''
  return text.split('\n\n').map((paragraph) => `<p>${inline(paragraph)}</p>`).join('')
}

export function inline (text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}
