import fc from 'fast-check'
import { test } from 'tap'
import { visible } from '../../src/tools/visible.ts'

test('what a reader would not see stands as a mark', async (t) => {
  const shown: ReadonlyArray<readonly [string, string]> = [
    ['ls\u001b[2K\u001b[1A; rm -rf .', 'ls⟨U+001B⟩[2K⟨U+001B⟩[1A; rm -rf .'],
    ['ls \u202egpj.x', 'ls ⟨U+202E⟩gpj.x'],
    ['l\u200bs\ufeff', 'l⟨U+200B⟩s⟨U+FEFF⟩'],
    ['a\u{e0041}b', 'a⟨U+E0041⟩b'],
    ['a\ufe0f\u{e0100}', 'a⟨U+FE0F⟩⟨U+E0100⟩'],
    ['a\u00a0b\u3000c\u2028d', 'a⟨U+00A0⟩b⟨U+3000⟩c⟨U+2028⟩d'],
    ['a\u3164\u115f\u2800b', 'a⟨U+3164⟩⟨U+115F⟩⟨U+2800⟩b'],
    ['half \ud800', 'half ⟨U+D800⟩'],
    ['private \ue000', 'private ⟨U+E000⟩'],
    ['over\rwritten', 'over⟨U+000D⟩written'],
    ['nul \0 del \u007f c1 \u0085', 'nul ⟨U+0000⟩ del ⟨U+007F⟩ c1 ⟨U+0085⟩'],
    [`ls${' '.repeat(300)}; rm -rf /`, 'ls⟨300 spaces⟩; rm -rf /'],
    [`a${'\n'.repeat(40)}b`, 'a\n⟨39 empty lines⟩\nb']
  ]
  for (const [text, expected] of shown) t.same(visible(text), { text: expected, unusual: true })
})

test('ordinary text stays as it is', async (t) => {
  for (const text of ['a\tb\nc', 'Übersicht 語 é', 'deep\n                indent', 'emoji 😀', '']) t.same(visible(text), { text, unusual: false })
  t.same(visible('a\r\nb\r\n'), { text: 'a␍\nb␍\n', unusual: false }, 'line ends of Windows are shown and nothing unusual')
})

test('nothing invisible gets through, whatever the text', async (t) => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 50 }), (text) => {
    const shown = visible(text).text
    return !/[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/u.test(shown.replace(/[\n\t]/g, '')) && !/(?! )\p{Zs}/u.test(shown)
  }), { numRuns: 2_000 })
  t.pass()
})
