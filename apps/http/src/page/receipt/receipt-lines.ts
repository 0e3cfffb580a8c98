import type { Receipt } from '@quittance/billing'
import { currencyPrice } from '../browser/amounts.ts'

/** A fact of a receipt. `href`: where it can be looked up; `isCode`: it is for machines, and broken anywhere. */
export type Line = {
  readonly label: string
  readonly value: string
  readonly href?: string | null
  readonly isCode?: boolean
}
export type Section = { readonly name: string; readonly lines: ReadonlyArray<Line> }

/** How a receipt is shown, beside what it says. */
export type Showing = {
  readonly isSandbox: boolean
  /** The address of a transaction in an explorer; null where none is configured. */
  readonly explorer: (environment: Receipt['environment'], hash: string) => string | null
}

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'medium', timeZone: 'UTC' })
const momentOf = (timestamp: string): string => `${moment.format(Date.parse(timestamp))} UTC`

const purposes: Readonly<Record<Receipt['purpose'], string | null>> = {
  sale: null,
  first_payment: 'First payment',
  renewal: 'Renewal',
  invoice: 'Invoice',
}

/** That the money is none; null on the mainnet. */
export const badgeOf = ({ environment }: Receipt, { isSandbox }: Showing): string | null => {
  if (environment === 'mainnet') return null
  return isSandbox ? 'Sandbox: no real money' : 'Testnet: no real money'
}

/** What the page and the file say of a receipt, in their order. */
export const sectionsOf = (receipt: Receipt, showing: Showing): ReadonlyArray<Section> =>
  [
    { name: 'Receipt', lines: headOf(receipt) },
    { name: 'Paid for', lines: soldOf(receipt) },
    { name: 'Payment', lines: paymentOf(receipt, showing) },
    { name: 'Given back', lines: returnsOf(receipt, showing) },
  ].filter(({ lines }) => lines.length > 0)

const headOf = ({ number, paidAt, customer }: Receipt): ReadonlyArray<Line> => [
  { label: 'Number', value: number, isCode: true },
  { label: 'Paid', value: momentOf(paidAt) },
  ...known('Customer', customer?.name),
  ...known('Email', customer?.email),
]

const known = (label: string, value: string | null | undefined): ReadonlyArray<Line> =>
  value === null || value === undefined || value === '' ? [] : [{ label, value }]

const soldOf = ({ subject, purpose, period, currency, amount_cents }: Receipt): ReadonlyArray<Line> => {
  const price = currency === null || amount_cents === null ? null : priceOf(currency, amount_cents)
  return [
    { label: 'What', value: subject ?? 'Payment' },
    ...known('As', purposes[purpose]),
    ...(period === null ? [] : [{ label: 'Period', value: `${dayOf(period.start)} to ${dayOf(period.end)}` }]),
    { label: 'Quantity', value: '1' },
    ...known('Price', price),
  ]
}

const dayOf = (timestamp: string): string => day.format(Date.parse(timestamp))
const priceOf = (currency: string, cents: number): string =>
  currencyPrice(currency, cents / 100, '') ?? `${cents / 100} ${currency}`

const paymentOf = ({ amount, overpaid, rates, transactions, environment }: Receipt, { explorer }: Showing) => [
  { label: 'Amount', value: amount },
  ...known('Of that, more than the price', overpaid),
  ...rates.map(({ pair, rate, source, observedAt }) => ({
    label: 'Rate',
    value: [`${pair} ${rate}`, source, observedAt === null ? 'last agreed rate' : momentOf(observedAt)]
      .filter((each) => each !== null)
      .join(', '),
  })),
  ...transactions.flatMap(({ hash, from, amount: part }) => [
    ...(transactions.length > 1 ? [{ label: 'Part', value: part }] : []),
    { label: 'Transaction', value: hash, isCode: true, href: explorer(environment, hash) },
    { label: 'From', value: from, isCode: true },
  ]),
]

const returnsOf = ({ refunds, isReturned, environment }: Receipt, { explorer }: Showing): ReadonlyArray<Line> => [
  ...(isReturned ? [{ label: 'Note', value: 'This payment did not count, and goes back to its sender.' }] : []),
  ...refunds.flatMap(({ amount, status, succeeded_at, transaction_hash: hash }) => [
    { label: 'Amount', value: status === 'succeeded' ? amount : `${amount}, on its way` },
    ...(succeeded_at === null ? [] : [{ label: 'Given back', value: momentOf(succeeded_at) }]),
    ...(hash === null ? [] : [{ label: 'Transaction', value: hash, isCode: true, href: explorer(environment, hash) }]),
  ]),
]
