import { decimalFromStroops, maximumStroops, stroops } from '@quittance/domain'

/** Aligns the cells of each column. */
export const table = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => printable(cell).padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Replaces each control character with `�`, so that a damaged or forged log cannot steer the terminal. */
export const printable = (text: string): string => text.replace(/\p{Cc}/gu, '\uFFFD')

/** Groups digits, such as `1,204`. */
export const grouped = (count: number): string => count.toLocaleString('en-US')

/** Such as `1 row` or `1,204 rows`. */
export const counted = (count: number, what: string): string => `${grouped(count)} ${what}${count === 1 ? '' : 's'}`

/** Signed stroops in units of the asset, limited to the most that an account can hold. */
export const signed = (amount: bigint): string => {
  const size = amount < 0n ? -amount : amount
  const decimal = decimalFromStroops(stroops(size > maximumStroops ? maximumStroops : size))
  return amount < 0n ? `-${decimal}` : decimal
}

/** A sum with so many fraction digits; it may be negative, and exceed what one account can hold. */
export const decimal = (sum: bigint, digits: number): string => {
  const [sign, size] = sum < 0n ? ['-', -sum] : ['', sum]
  const unit = 10n ** BigInt(digits)
  const fraction = (size % unit).toString().padStart(digits, '0').replace(/0+$/, '')
  return fraction === '' ? `${sign}${size / unit}` : `${sign}${size / unit}.${fraction}`
}
