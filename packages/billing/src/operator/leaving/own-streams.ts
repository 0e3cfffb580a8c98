import {
  type AccountId,
  type Aggregate,
  Channel,
  Checkout,
  Credits,
  Customer,
  CustomerMerges,
  channelOf,
  Exception,
  Funding,
  Intent,
  InvoiceSession,
  LedgerTransaction,
  Limits,
  Merchant,
  numberLine,
  OutflowApproval,
  Payment,
  Payout,
  PayoutBook,
  PayoutDestination,
  PriceChange,
  Product,
  type RecordedEvent,
  Refund,
  Reservation,
  Subscription,
  Team,
  Webhook,
} from '@quittance/domain'
import type { EventStore } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import { platform } from '../../kernel/platform.ts'

type Events = Aggregate<unknown, unknown, unknown, unknown>['events']
const all: ReadonlyArray<{ readonly category: string; readonly events: Pick<Events, 'decodeEvent'> }> = [
  Merchant,
  Product,
  Customer,
  CustomerMerges,
  Reservation,
  Checkout,
  InvoiceSession,
  Payment,
  Refund,
  Payout,
  PayoutBook,
  PayoutDestination,
  Limits,
  OutflowApproval,
  PriceChange,
  Exception,
  Funding,
  Subscription,
  Team,
  Credits,
  Webhook,
  Intent,
  Channel,
  LedgerTransaction,
]
const readable = new Map(all.map(({ category, events }) => [category, events]))
/** The categories of streams that are the platform's, and may be about one merchant alone. */
const ofPlatform: ReadonlySet<string> = new Set([Reservation, Channel, LedgerTransaction].map((each) => each.category))

export const categoryOf = ({ stream }: Pick<RecordedEvent, 'stream'>): string => stream.slice(0, stream.indexOf('-'))
export const idOf = ({ stream }: Pick<RecordedEvent, 'stream'>): string => stream.slice(stream.indexOf('-') + 1)

/** The intents that a transaction carries, as an event of it says. */
export const intentsIn = ({ type, data }: RecordedEvent): ReadonlyArray<unknown> => {
  if (type === 'OperationReassigned') return data.intentId === null ? [] : [data.intentId]
  return type === 'TransactionPrepared' && Array.isArray(data.intents) ? data.intents : []
}

/** Whether an event may be one of a merchant that moves, and this release can read it. */
export const isReadable = (event: RecordedEvent, merchantId: string): boolean => {
  const category = categoryOf(event)
  const events = readable.get(category)
  if (events === undefined || E.isLeft(events.decodeEvent(event))) return false
  const owner = event.metadata.merchantId
  return owner === merchantId || (owner === platform && ofPlatform.has(category))
}

/**
 * The streams that are about a merchant: its own, and of the platform's the transactions that carried nothing but its intents,
 * the sequence numbers of its accounts, and what is reserved for it. A transaction that it shared with others stays: the
 * ledger has it. Reads the log once.
 */
export const ownStreams = async (
  log: Pick<EventStore, 'readAll'>,
  merchantId: string,
  accounts: ReadonlySet<AccountId>,
): Promise<ReadonlySet<string>> => {
  const own = new Set<string>()
  const isOwnLine = (line: string): boolean => [...accounts].some((account) => line === numberLine(account, 0))
  const carrying = new Map<string, ReadonlyArray<unknown>>()
  const reservedByOthers = new Set<string>()
  for await (const event of log.readAll(0n)) {
    const { stream, type, data, metadata } = event
    if (metadata.merchantId === merchantId) own.add(stream)
    if (metadata.merchantId !== platform) continue
    const category = categoryOf(event)
    if (category === LedgerTransaction.category)
      carrying.set(stream, [...(carrying.get(stream) ?? []), ...intentsIn(event)])
    if (category === Channel.category && isOwnLine(channelOf(idOf(event)).line)) own.add(stream)
    if (category === Reservation.category && type === 'Claimed' && data.owner === merchantId) own.add(stream)
    if (category === Reservation.category && data.owner !== merchantId) reservedByOthers.add(stream)
  }
  // What others had reserved before names them.
  for (const stream of reservedByOthers) own.delete(stream)
  for (const [stream, intents] of carrying)
    if (intents.length > 0 && intents.every((id) => own.has(`${Intent.category}-${id}`))) own.add(stream)
  return own
}
