import type { SqlRow } from '@quittance/event-store'

/** Thrown when a row does not match its table's schema. */
class UnexpectedColumn extends Error {}

export const integerIn = (row: SqlRow, column: string): number => {
  const value = row[column]
  if (typeof value !== 'number') throw new UnexpectedColumn(column)
  return value
}

export const textIn = (row: SqlRow, column: string): string => {
  const value = row[column]
  if (typeof value !== 'string') throw new UnexpectedColumn(column)
  return value
}

export const bytesIn = (row: SqlRow, column: string): Uint8Array => {
  const value = row[column]
  if (!(value instanceof Uint8Array)) throw new UnexpectedColumn(column)
  return value
}
