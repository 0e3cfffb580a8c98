import { type PositiveCount, positiveCount } from '../shared/units.ts'

/** Whose books: what `resource_id` names on the wire. */
export type BooksOf = { readonly customerId: string; readonly productId: string }

const periodDigits = 9

/** The books of a customer and a product, over all periods: `cus_…/prod_…`. */
export const accountName = ({ customerId, productId }: BooksOf): string => `${customerId}/${productId}`

/** The id of the stream of one period, from 1: `cus_…/prod_…/000000001`. Later periods sort after earlier ones. */
export const booksId = (books: BooksOf, period: PositiveCount): string =>
  `${accountName(books)}/${period.toString().padStart(periodDigits, '0')}`

/** Which period a stream's id names, and the account. Throws a `RangeError` for what is no such id: a defect. */
export const periodOf = (id: string): { readonly account: string; readonly period: PositiveCount } => {
  const [customerId, productId, period] = id.split('/')
  if (customerId === undefined || productId === undefined || period === undefined) {
    throw new RangeError(`${id} is no id of books`)
  }
  return { account: accountName({ customerId, productId }), period: positiveCount(Number(period)) }
}
