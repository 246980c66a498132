const unseen = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]|(?! )\p{Zs}/gu

/** Text in which every character that cannot be seen stands as a mark; newline and tab stay. */
export function marked (text: string): string {
  return text.replace(/\r\n/g, '\n').replace(unseen, (char) => char === '\n' || char === '\t' ? char : `⟨U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`)
}

/** JSON in which every such character within a string is escaped: it can be seen, and means the same. */
export function escaped (json: string): string {
  return json.replace(unseen, (char) => char === '\n' ? char : char.split('').map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''))
}
