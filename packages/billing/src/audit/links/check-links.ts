import {
  Checkout,
  Exception,
  Intent,
  InvoiceSession,
  Payment,
  Payout,
  PayoutBook,
  type RecordedEvent,
  Refund,
  Subscription,
} from '@quittance/domain'
import { findingAt, type LogCheck } from '../log-check.ts'
import { type Link, type Linked, linkProblems } from './link.ts'
import { exceptionLinks, intentLinks, payoutBookLinks, payoutLinks, refundLinks } from './outgoing-links.ts'
import { paymentLinks } from './payment-links.ts'
import { sessionLinks } from './session-links.ts'
import { subscriptionLinks } from './subscription-links.ts'

type ReadStream = (recorded: RecordedEvent) => Linked

const readers: ReadonlyMap<string, (id: string) => ReadStream> = new Map([
  [Checkout.category, sessionLinks],
  [Exception.category, exceptionLinks],
  [Intent.category, intentLinks],
  [InvoiceSession.category, sessionLinks],
  [Payment.category, paymentLinks],
  [Payout.category, payoutLinks],
  [PayoutBook.category, payoutBookLinks],
  [Refund.category, refundLinks],
  [Subscription.category, subscriptionLinks],
])

const readerOf = (stream: string): ReadStream | null => {
  const cut = stream.indexOf('-')
  return readers.get(stream.slice(0, cut))?.(stream.slice(cut + 1)) ?? null
}

/** An event that needs what no stream has said so far. */
type Needing = Link & {
  readonly event: Pick<RecordedEvent, 'stream' | 'revision' | 'type'>
  readonly merchantId: string
  readonly at: number
}

/**
 * Compares streams with each other, and names each event that another stream would have to bear out and does not: a payment
 * without its session, a refund without its payment, money that went out and nobody asked for. What a merchant has brought along
 * from another installation came without the streams of that one. Holds a hash of each such word, and no stream.
 */
export const linksCheck = (): LogCheck => {
  const open = new Map<string, ReadStream>()
  const said = new Set<string>()
  const needed: Array<Needing> = []
  const arrivals = new Map<string, number>()
  return {
    see: (event) => {
      const { stream, revision, type, metadata } = event
      const { merchantId, occurredAt: at } = metadata
      if (type === 'MerchantArrived') arrivals.set(merchantId, at)
      const read = open.get(stream) ?? readerOf(stream)
      if (read === null) return
      open.set(stream, read)
      const { says = [], needs = [] } = read(event)
      for (const { hash } of says) said.add(hash)
      for (const { rule, hash } of needs) {
        if (said.has(hash)) continue
        needed.push({ rule, hash, event: { stream, revision, type }, merchantId, at })
      }
    },
    endStream: (stream) => void open.delete(stream),
    end: async () => {
      const unsaid = needed.filter(({ hash }) => !said.has(hash))
      return unsaid
        .filter(({ merchantId, at }) => at > (arrivals.get(merchantId) ?? -1))
        .map(({ rule, event }) => findingAt(event, `${event.type}: ${linkProblems[rule]}`))
    },
  }
}
