import type { Spread } from './statistics.ts'

/** Texts of figures and tables, as pages have them. */
export const figure = (value: number): string => value.toLocaleString('en', { maximumSignificantDigits: 3 })
export const whole = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 0 })
export const megabytes = (bytes: number): string => whole(bytes / 1e6)

export const ratioText = ({ median, low, high }: Spread): string =>
  `${figure(median)} (${figure(low)} to ${figure(high)})`

const row = (cells: ReadonlyArray<string>): string => `| ${cells.join(' | ')} |`

/** Its first column is text, the others are figures. */
export const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [row(head), row(head.map((_, column) => (column === 0 ? '---' : '---:'))), ...rows.map(row)].join('\n')
