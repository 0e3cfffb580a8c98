import {
  booksId,
  Checkout,
  Credits,
  Customer,
  Exception,
  Intent,
  InvoiceSession,
  LedgerTransaction,
  Payment,
  PriceChange,
  Product,
  positiveCount,
  type RecordedEvent,
  Refund,
  Subscription,
} from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { intentIdOf } from '../../features/outgoing/record-intent.ts'
import { isIn, type StoreUnavailable } from '../../kernel/load.ts'
import { intentsIn } from '../../operator/leaving/own-streams.ts'
import { incomingKeys, misfitsAt } from '../../portal/export/misfits.ts'
import { everyRow } from '../../services/every-row.ts'
import type { Services } from '../../services/services.ts'
import type { EvidenceKind } from './format.ts'
import { categoryOf, idOf, streamsNamedIn } from './stream-names.ts'

export type CollectServices = Pick<Services, 'store' | 'readModels'>

/** The streams that concern the subject, and the names of streams of others that these name. */
export type Collected = {
  readonly streams: ReadonlyMap<string, ReadonlyArray<RecordedEvent>>
  readonly foreign: ReadonlySet<string>
}

type Events = ReadonlyArray<RecordedEvent>
type Read = (stream: string) => Promise<E.Either<StoreUnavailable, Events>>

const subjects: Readonly<Record<EvidenceKind, { readonly category: string }>> = {
  customer: Customer,
  payment: Payment,
  subscription: Subscription,
}

export const subjectStream = (kind: EvidenceKind, id: string): string => `${subjects[kind].category}-${id}`

/** What ends a transaction: the bytes of one that has not ended could still be sent. */
const ends: ReadonlySet<string> = new Set([
  'TransactionSucceeded',
  'TransactionFailed',
  'TransactionDied',
  'TransactionDecided',
])
/** Categories whose events lead further. Others are shown alone, since they concern many. */
const leading: ReadonlySet<string> = new Set(
  [Checkout, Exception, Intent, InvoiceSession, Payment, Refund, Subscription].map(({ category }) => category),
)
/** Where evidence about one payment goes on from its subscription: not to all other payments. */
const besidePayments: ReadonlySet<string> = new Set(
  [Checkout, Customer, PriceChange, Product].map(({ category }) => category),
)
/** What has an intent of its own to move money. */
const owners: ReadonlySet<string> = new Set([Payment, Refund].map(({ category }) => category))

const customersNamedIn = (events: Events): ReadonlyArray<string> => [
  ...new Set(
    events
      .flatMap(streamsNamedIn)
      .filter((stream) => categoryOf(stream) === Customer.category)
      .map(idOf),
  ),
]

/** All that is listed under a customer: its checkouts, payments and subscriptions, and its credits of each product. */
const listedUnder = async (
  { readModels }: CollectServices,
  scope: Scope,
  family: ReadonlyArray<string>,
  read: Read,
): Promise<E.Either<StoreUnavailable, ReadonlyArray<string>>> => {
  const [customerId] = family
  if (customerId === undefined) return E.right([])
  const listed: Array<string> = family.map((id) => `${Customer.category}-${id}`)
  const products = new Set<string>()
  const tables = [
    [Checkout.category, readModels.checkouts.page],
    [Subscription.category, readModels.subscriptions.page],
  ] as const
  for (const [category, page] of tables)
    for await (const { id } of everyRow<unknown>((request) => page({ ...request, listedUnder: customerId }), scope))
      listed.push(`${category}-${id}`)
  const payments = everyRow((request) => readModels.payments.page({ ...request, listedUnder: customerId }), scope)
  for await (const { id, row } of payments) {
    listed.push(`${Payment.category}-${id}`)
    if (row.details.productId !== null) products.add(row.details.productId)
  }
  for (const customer of family)
    for (const productId of products)
      for (let period = 1; ; period++) {
        const books = booksId({ customerId: customer, productId }, positiveCount(period))
        const found = await read(`${Credits.category}-${books}`)
        if (E.isLeft(found)) return found
        if (found.right.length === 0) break
        listed.push(`${Credits.category}-${books}`)
      }
  return E.right(listed)
}

/** What follows from a stream: what it names, its own intent, and exceptions about its money. */
const following = async (
  { readModels }: CollectServices,
  scope: Scope,
  kind: EvidenceKind,
  stream: string,
  events: Events,
): Promise<ReadonlyArray<string>> => {
  const category = categoryOf(stream)
  if (!leading.has(category)) return []
  const named = events.flatMap(streamsNamedIn)
  if (kind === 'payment' && category === Subscription.category)
    return named.filter((each) => besidePayments.has(categoryOf(each)))
  const intents = owners.has(category) ? [intentIdOf(scope, idOf(stream))] : []
  const keys = new Set((await Promise.all(events.map(incomingKeys))).flat())
  const misfits = (await Promise.all([...keys].map((key) => misfitsAt(readModels, scope, key)))).flat()
  return [
    ...named,
    ...intents.map((id) => `${Intent.category}-${id}`),
    ...misfits.map(({ id }) => `${Exception.category}-${id}`),
  ]
}

/** Whether a transaction has ended, and carried no money but what these streams ask for. */
const isOwnTransaction = (events: Events, streams: ReadonlyMap<string, unknown>): boolean =>
  events.some(({ type }) => ends.has(type)) &&
  events.flatMap(intentsIn).every((id) => streams.has(`${Intent.category}-${id}`))

/**
 * Collects the streams that concern a payment, a subscription or a customer, along the ids that their events name. The
 * stream of another customer, merchant or environment is not entered. Null: the scope has no such subject.
 */
export const collect = async (
  services: CollectServices,
  scope: Scope,
  kind: EvidenceKind,
  id: string,
): Promise<E.Either<StoreUnavailable, Collected | null>> => {
  const read: Read = async (stream) =>
    E.map(({ events }: { readonly events: Events }) => events)(await services.store.readStream(stream)())
  const subject = subjectStream(kind, id)
  const own = await read(subject)
  if (E.isLeft(own)) return own
  const [first] = own.right
  if (first === undefined || !isIn(scope, first.metadata)) return E.right(null)
  const [named] = kind === 'customer' ? [id] : customersNamedIn(own.right)
  const family = new Set(named === undefined ? [] : await services.readModels.customerFamily.allOf(named))
  const listed = kind === 'customer' ? await listedUnder(services, scope, [...family], read) : E.right([])
  if (E.isLeft(listed)) return listed
  const isOwn = ([begin, ...others]: Events): boolean =>
    begin !== undefined &&
    isIn(scope, begin.metadata) &&
    (categoryOf(begin.stream) !== Customer.category || family.has(idOf(begin.stream))) &&
    customersNamedIn([begin, ...others]).every((each) => family.has(each))
  const streams = new Map<string, Events>()
  const transactions = new Map<string, Events>()
  const foreign = new Set<string>()
  const queue = [subject, ...listed.right]
  for (let stream = queue.shift(); stream !== undefined; stream = queue.shift()) {
    if (streams.has(stream) || foreign.has(stream) || transactions.has(stream)) continue
    const events = stream === subject ? own : await read(stream)
    if (E.isLeft(events)) return events
    if (events.right.length === 0) continue
    if (categoryOf(stream) === LedgerTransaction.category) transactions.set(stream, events.right)
    else if (!isOwn(events.right)) foreign.add(stream)
    else {
      streams.set(stream, events.right)
      queue.push(...(await following(services, scope, kind, stream, events.right)))
    }
  }
  for (const [stream, events] of transactions) if (isOwnTransaction(events, streams)) streams.set(stream, events)
  return E.right({ streams, foreign })
}
