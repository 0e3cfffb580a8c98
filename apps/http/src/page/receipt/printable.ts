import { createRequire } from 'node:module'
import { type Font, openSync } from 'fontkit'

const require = createRequire(import.meta.url)
// Its types describe a default export, which it does not have.
const bidiFactory: typeof import('bidi-js').default = require('bidi-js')

/** Latin, Greek, Cyrillic, Hebrew, Arabic, Armenian, Georgian and more; no Chinese, Japanese, Korean or Indian scripts. */
export const fontFiles = {
  plain: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  bold: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
} as const

let opened: Font | null = null
const font = (): Font => {
  const known = opened ?? openSync(fontFiles.plain)
  if (!('hasGlyphForCodePoint' in known)) throw new Error('the font file holds several fonts')
  opened = known
  return known
}

const standIn = '□'
/** Longer texts would fill pages, and time. */
const mostCharacters = 300
const isFormatting = /[\p{Cc}\p{Cf}]/u

/** The text, cut where it is too long, with a stand-in for each character that the font lacks; and whether it is whole. */
export const printable = (text: string): { readonly text: string; readonly isWhole: boolean } => {
  const all = [...text.normalize('NFC')].filter((each) => !isFormatting.test(each))
  const characters = all.length > mostCharacters ? [...all.slice(0, mostCharacters), '…'] : all
  const shown = characters.map((each) => (font().hasGlyphForCodePoint(each.codePointAt(0) ?? 0) ? each : standIn))
  return { text: shown.join(''), isWhole: shown.join('') === all.join('') }
}

const bidi = bidiFactory()

/** The parts of a line from left to right, each of one direction and in the order in which it is read (UAX 9). */
export const visualRuns = (line: string): ReadonlyArray<string> => {
  const embedding = bidi.getEmbeddingLevels(line)
  const runs: Array<{ text: string; level: number }> = []
  for (const index of bidi.getReorderedIndices(line, embedding)) {
    const [level, character] = [embedding.levels[index] ?? 0, line.charAt(index)]
    const isTurned = level % 2 === 1
    const shown = isTurned ? (bidi.getMirroredCharacter(character) ?? character) : character
    const last = runs.at(-1)
    if (last === undefined || last.level !== level) runs.push({ text: shown, level })
    else last.text = isTurned ? shown + last.text : last.text + shown
  }
  return runs.map(({ text }) => text)
}
