/** The fenced blocks of a page, in order. */
export const blocksOf = (page: string): ReadonlyArray<{ readonly language: string; readonly text: string }> =>
  [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({ language, text }))

/** A matcher of a shown answer: the fields that it shows, and of a text the part before its `…`. */
export const asShown = (shown: unknown): unknown => {
  if (typeof shown === 'string' && shown.endsWith('…')) return expect.stringMatching(startingWith(shown.slice(0, -1)))
  if (Array.isArray(shown)) return shown.map(asShown)
  if (typeof shown !== 'object' || shown === null) return shown
  return expect.objectContaining(Object.fromEntries(Object.entries(shown).map(([key, each]) => [key, asShown(each)])))
}
const startingWith = (text: string): RegExp => new RegExp(`^${text.replaceAll(/[^\w]/g, '\\$&')}.`)
