import type { Receipt } from '@quittance/billing'
import { amountFor, dayFor, priceFor, type Reader } from '../reader.ts'

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
  readonly reader: Reader
  readonly isSandbox: boolean
  /** The address of a transaction in an explorer; null where none is configured. */
  readonly explorer: (environment: Receipt['environment'], hash: string) => string | null
}

const momentOf = ({ script }: Reader, timestamp: string): string => {
  const format = { dateStyle: 'long', timeStyle: 'medium', timeZone: 'UTC' } as const
  return `${new Intl.DateTimeFormat(script.dates, format).format(Date.parse(timestamp))} UTC`
}

/** That the money is none; null on the mainnet. */
export const badgeOf = ({ environment }: Receipt, { isSandbox, reader }: Showing): string | null => {
  const { sandbox, testnet } = reader.words.checkout
  if (environment === 'mainnet') return null
  return isSandbox ? sandbox : testnet
}

/** What the page and the file say of a receipt, in their order. */
export const sectionsOf = (receipt: Receipt, showing: Showing): ReadonlyArray<Section> => {
  const words = showing.reader.words.receipt
  return [
    { name: words.title, lines: headOf(receipt, showing.reader) },
    { name: words.paidFor, lines: soldOf(receipt, showing.reader) },
    { name: words.payment, lines: paymentOf(receipt, showing) },
    { name: words.givenBack, lines: returnsOf(receipt, showing) },
  ].filter(({ lines }) => lines.length > 0)
}

const headOf = ({ number, paidAt, customer }: Receipt, reader: Reader): ReadonlyArray<Line> => {
  const words = reader.words.receipt
  return [
    { label: words.number, value: number, isCode: true },
    { label: words.paid, value: momentOf(reader, paidAt) },
    ...known(words.customer, customer?.name),
    ...known(words.email, customer?.email),
  ]
}

const known = (label: string, value: string | null | undefined): ReadonlyArray<Line> =>
  value === null || value === undefined || value === '' ? [] : [{ label, value }]

const soldOf = ({ subject, purpose, period, currency, amount_cents }: Receipt, reader: Reader): ReadonlyArray<Line> => {
  const words = reader.words.receipt
  const price = currency === null || amount_cents === null ? null : priceFor(reader, currency, amount_cents / 100)
  const span = period === null ? null : words.span(dayFor(reader, period.start), dayFor(reader, period.end))
  return [
    { label: words.what, value: subject ?? words.payment },
    ...known(words.as, purpose === 'sale' ? null : words.purposes[purpose]),
    ...known(words.period, span),
    { label: words.quantity, value: '1' },
    ...known(words.price, price),
  ]
}

const paymentOf = (
  { amount, overpaid, rates, transactions, environment }: Receipt,
  { explorer, reader }: Showing,
): ReadonlyArray<Line> => {
  const words = reader.words.receipt
  return [
    { label: words.amount, value: amountFor(reader, amount) },
    ...known(words.overpaid, overpaid === null ? null : amountFor(reader, overpaid)),
    ...rates.map(({ pair, rate, source, observedAt }) => ({
      label: words.rate,
      value: [
        `${pair} ${amountFor(reader, String(rate))}`,
        source,
        observedAt === null ? words.agreedRate : momentOf(reader, observedAt),
      ]
        .filter((each) => each !== null)
        .join(', '),
    })),
    ...transactions.flatMap(({ hash, from, amount: part }) => [
      ...(transactions.length > 1 ? [{ label: words.part, value: amountFor(reader, part) }] : []),
      { label: words.transaction, value: hash, isCode: true, href: explorer(environment, hash) },
      { label: words.from, value: from, isCode: true },
    ]),
  ]
}

const returnsOf = (
  { refunds, isReturned, environment }: Receipt,
  { explorer, reader }: Showing,
): ReadonlyArray<Line> => {
  const words = reader.words.receipt
  return [
    ...(isReturned ? [{ label: words.note, value: words.returned }] : []),
    ...refunds.flatMap(({ amount, status, succeeded_at, transaction_hash: hash }) => {
      const given = amountFor(reader, amount)
      return [
        { label: words.amount, value: status === 'succeeded' ? given : words.onItsWay(given) },
        ...(succeeded_at === null ? [] : [{ label: words.givenBack, value: momentOf(reader, succeeded_at) }]),
        ...(hash === null
          ? []
          : [{ label: words.transaction, value: hash, isCode: true, href: explorer(environment, hash) }]),
      ]
    }),
  ]
}
