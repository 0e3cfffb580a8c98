import {
  Checkout,
  Customer,
  Exception,
  Intent,
  InvoiceSession,
  type Json,
  LedgerTransaction,
  Payment,
  PriceChange,
  Product,
  type RecordedEvent,
  Refund,
  Subscription,
} from '@quittance/domain'

const categories: ReadonlyMap<string, string> = new Map([
  ['chk', Checkout.category],
  ['cus', Customer.category],
  ['exc', Exception.category],
  ['int', Intent.category],
  ['inv', InvoiceSession.category],
  ['pay', Payment.category],
  ['prc', PriceChange.category],
  ['prod', Product.category],
  ['rf', Refund.category],
  ['sub', Subscription.category],
])

const stringsIn = (value: Json): ReadonlyArray<string> => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

/** Ids stand alone or, as an account of credits, beside another one. */
const idsIn = ({ data }: Pick<RecordedEvent, 'data'>): ReadonlyArray<string> =>
  stringsIn(data).flatMap((text) => (text.length > 200 ? [] : (text.match(/\b[a-z]{2,4}_[0-9A-Za-z]{22}\b/g) ?? [])))

/** The name of the stream of an id; null where ids of its kind name none that evidence may hold. */
const streamOf = (id: string): string | null => {
  const category = categories.get(id.slice(0, id.indexOf('_')))
  return category === undefined ? null : `${category}-${id}`
}

/** The streams that an event names by ids, and the transaction that an intent is attached to. */
export const streamsNamedIn = (event: RecordedEvent): ReadonlyArray<string> => {
  const named = idsIn(event).flatMap((id) => streamOf(id) ?? [])
  const { type, data } = event
  return type === 'IntentAttached' && typeof data.transactionHash === 'string'
    ? [...named, `${LedgerTransaction.category}-${data.transactionHash}`]
    : named
}

export const categoryOf = (stream: string): string => stream.slice(0, stream.indexOf('-'))
export const idOf = (stream: string): string => stream.slice(stream.indexOf('-') + 1)
