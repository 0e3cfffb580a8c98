const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

const inBase62 = (value: number, digits: number): string =>
  Array.from({ length: digits }, (_, index) => base62[Math.floor(value / 62 ** (digits - 1 - index)) % 62]).join('')

const fromBase62 = (text: string): number => [...text].reduce((value, digit) => value * 62 + base62.indexOf(digit), 0)

/** The first digits of ids: 108 days have the same. */
const idTime = '02u'

/**
 * A history has stretches that differ only in their names. These parts of the first one's become others: the time of ids, the beginning of
 * hashes, of the ids of events, and of numbers of transactions.
 */
const markers: ReadonlyArray<{ readonly part: string; readonly of: (stretch: number) => string }> = [
  { part: `_${idTime}`, of: (stretch) => `_${inBase62(fromBase62(idTime) + stretch, idTime.length)}` },
  { part: '5eed', of: (stretch) => (0x5eed + stretch).toString(16) },
  { part: '0198a6b2-', of: (stretch) => `${(0x0198a6b2 + stretch).toString(16).padStart(8, '0')}-` },
  { part: '-0000777', of: (stretch) => `-${String(777 + stretch).padStart(7, '0')}` },
]

/** A text of the first stretch as it is in another. */
export const inStretch = (stretch: number, text: string): string =>
  stretch === 0 ? text : markers.reduce((changed, { part, of }) => changed.replaceAll(part, of(stretch)), text)

/** The same in SQL, of a column. */
export const columnInStretch = (stretch: number, column: string): string =>
  markers.reduce((changed, { part, of }) => `replace(${changed}, '${part}', '${of(stretch)}')`, column)
