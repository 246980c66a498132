import { previewLengthMax, previewNotesMax, shownLengthMax } from '../limits.ts'
import type { Preview } from '../protocol/plan.ts'
import type { PlanDraft } from './tool.ts'
import { visible } from './visible.ts'

/** At most `max` UTF-16 units; a character outside the basic plane is not split. */
export function cutText (text: string, max: number): string {
  if (text.length <= max) return text
  const last = text.charCodeAt(max - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max)
}

/** The preview of a plan, whole but for `previewLengthMax`: every text made visible. */
export function completePreview (tool: string, draft: PlanDraft): Preview {
  const given = draft.preview
  return mapTexts({
    summary: given?.summary ?? [tool, ...draft.paths].join(' '),
    paths: given?.paths ?? [...draft.paths],
    diff: given?.diff ?? null,
    content: given?.content ?? null,
    command: given?.command ?? draft.command ?? null,
    notes: given?.notes ?? [],
    truncated: given?.truncated ?? false,
    unusualCharacters: given?.unusualCharacters ?? false
  }, (text) => {
    const shown = visible(cutText(text, previewLengthMax)) // marks only make it longer
    return { text: cutText(shown.text, previewLengthMax), cut: text.length > previewLengthMax || shown.text.length > previewLengthMax, unusual: shown.unusual }
  })
}

/** A preview for an event: texts over `shownLengthMax` are cut and `truncated` says so. */
export function shortenPreview (preview: Preview): Preview {
  return mapTexts(preview, (text) => ({ text: cutText(text, shownLengthMax), cut: text.length > shownLengthMax, unusual: false }))
}

function mapTexts (preview: Preview, change: (text: string) => { text: string, cut: boolean, unusual: boolean }): Preview {
  let truncated = preview.truncated || preview.notes.length > previewNotesMax
  let unusualCharacters = preview.unusualCharacters
  const changed = (text: string): string => {
    const result = change(text)
    truncated ||= result.cut
    unusualCharacters ||= result.unusual
    return result.text
  }
  const optional = (text: string | null): string | null => text === null ? null : changed(text)
  const texts = {
    summary: changed(preview.summary),
    paths: preview.paths.map(changed),
    diff: optional(preview.diff),
    content: optional(preview.content),
    command: optional(preview.command),
    notes: preview.notes.slice(0, previewNotesMax).map(changed)
  }
  return { ...texts, truncated, unusualCharacters }
}
