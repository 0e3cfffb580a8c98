import {
  Credits,
  CustomerMerges,
  Freezes,
  Limits,
  Merchant,
  OutflowApproval,
  PayoutBook,
  PayoutId,
  type RecordedEvent,
  ReturnId,
} from '@quittance/domain'
import type { Scope, Table } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { mergesId } from '../../features/customers/merge.ts'
import { limitsId } from '../../features/limits/admit.ts'
import { approvalIdOf } from '../../features/limits/approval-of.ts'
import { intentIdOf } from '../../features/outgoing/record-intent.ts'
import { isIn, type StoreUnavailable } from '../../kernel/load.ts'
import { bookId } from '../../kernel/payout-book.ts'
import { platform } from '../../kernel/platform.ts'
import { everyRow } from '../../services/every-row.ts'
import type { Services } from '../../services/services.ts'
import { type HistoryKind, hasIntent, type Join, joinOf, mayNeedApproval, ownStream } from './joins.ts'
import { voiceOf } from './tellers/index.ts'
import { stream } from './tellers/streams.ts'
import type { ToldEvent } from './told.ts'

export type HistoryOf = { readonly kind: HistoryKind; readonly id: string }
export type HistoryNotFound = { readonly _tag: 'HistoryNotFound'; readonly kind: HistoryKind }

export type Reading = Pick<Services, 'store' | 'readModels'>

/** As many streams are read at the same time. */
const atOnce = 20

/**
 * All that is told of a resource and what belongs to it, in the order of the log. Each stream is read and decoded once.
 * Errors: `HistoryNotFound` for what does not exist, or is another merchant's or environment's.
 */
export const gather = async (
  services: Reading,
  scope: Scope,
  of: HistoryOf,
): Promise<E.Either<StoreUnavailable | HistoryNotFound, ReadonlyArray<ToldEvent>>> => {
  const roots = await rootsOf(services, scope, of)
  const names = new Set([
    of.id,
    ...(of.kind === 'customer' ? await services.readModels.customerFamily.allOf(of.id) : []),
  ])
  const known = new Set<string>()
  const told: Array<ToldEvent> = []
  let wave = roots
  while (wave.length > 0) {
    const next = new Map<string, Join>()
    for (const join of wave) known.add(join.stream)
    for (let from = 0; from < wave.length; from += atOnce) {
      const slices = await Promise.all(
        wave.slice(from, from + atOnce).map((join) => toldIn(services, scope, join, names)),
      )
      for (const slice of slices) {
        if (E.isLeft(slice)) return slice
        told.push(...slice.right)
        for (const join of await joinsOf(services, scope, of.kind, slice.right))
          if (!known.has(join.stream)) next.set(join.stream, join)
      }
    }
    wave = [...next.values()]
  }
  if (told.length === 0 && !(await mayHaveBooks(services, scope, of)))
    return E.left({ _tag: 'HistoryNotFound', kind: of.kind })
  return E.right(told.sort((one, two) => (one.recorded.position < two.recorded.position ? -1 : 1)))
}

/** Whether these are credits of the merchant's customer and product, though nobody may have granted any. */
const mayHaveBooks = async ({ readModels }: Reading, scope: Scope, { kind, id }: HistoryOf): Promise<boolean> => {
  const [customerId = '', productId = ''] = kind === 'credits' ? id.split('/') : []
  const rows = [await readModels.customers.withId(customerId), await readModels.products.withId(productId)]
  return rows.every((row) => row !== null && isIn(scope, row))
}

/** The streams that a story begins with. */
const rootsOf = async (
  { readModels }: Reading,
  scope: Scope,
  { kind, id }: HistoryOf,
): Promise<ReadonlyArray<Join>> => {
  switch (kind) {
    case 'credits':
      return (await idsUnder(readModels.creditBooks, scope, id)).map((each) => whole(`${Credits.category}-${each}`))
    case 'customer': {
      const family = await readModels.customerFamily.allOf(id)
      return [
        ...family.map((each) => whole(stream.customer(each))),
        { stream: `${CustomerMerges.category}-${mergesId(scope)}`, mode: 'about' },
        ...(await idsUnder(readModels.checkouts, scope, id)).map((each) => whole(stream.checkout(each))),
        ...(await idsUnder(readModels.payments, scope, id)).map((each) => whole(stream.payment(each))),
        ...(await idsUnder(readModels.subscriptions, scope, id)).map((each) => whole(stream.subscription(each))),
      ]
    }
    case 'merchant':
      return [
        whole(ownStream(kind, id)),
        { stream: `${Freezes.category}-${platform}`, mode: 'about' },
        whole(`${Limits.category}-${limitsId(scope)}`),
      ]
    case 'product':
      return [
        whole(ownStream(kind, id)),
        ...(await idsUnder(readModels.priceChanges, scope, id)).map((each) => whole(stream.priceChange(each))),
      ]
    case 'approval':
    case 'checkout':
    case 'exception':
    case 'funding':
    case 'invoice':
    case 'payment':
    case 'payout':
    case 'payout_destination':
    case 'price_change':
    case 'refund':
    case 'subscription':
    case 'webhook':
      return [whole(ownStream(kind, id))]
  }
}

const whole = (name: string): Join => ({ stream: name, mode: 'whole' })

const idsUnder = async <Row>(table: Table<Row>, scope: Scope, listedUnder: string): Promise<ReadonlyArray<string>> => {
  const rows = everyRow<Row>((request) => table.page({ ...request, listedUnder }), scope)
  return Array.fromAsync(rows, ({ id }) => id)
}

/** What a stream tells of the story. Streams of other merchants and environments tell nothing. */
const toldIn = async (
  { store }: Reading,
  scope: Scope,
  { stream: name, mode }: Join,
  about: ReadonlySet<string>,
): Promise<E.Either<StoreUnavailable, ReadonlyArray<ToldEvent>>> => {
  const slice = await store.readStream(name)()
  if (E.isLeft(slice)) return slice
  const { events } = slice.right
  const [first] = events
  if (first === undefined || !isShownTo(scope, first)) return E.right([])
  const told = voiceOf(name).teller.tell(events)
  return E.right(
    told.filter(
      (each) =>
        isOfEnvironment(scope, each.recorded) &&
        (mode === 'whole' || each.told.names?.some((id) => about.has(id)) === true),
    ),
  )
}

/** A merchant's own stream holds both environments, and that of freezes all merchants: of it, what names the merchant is shown. */
const isShownTo = (scope: Scope, { stream: name, metadata }: RecordedEvent): boolean => {
  if (name.startsWith(`${Freezes.category}-`)) return true
  return name.startsWith(`${Merchant.category}-`) ? metadata.merchantId === scope.merchantId : isIn(scope, metadata)
}

const isOfEnvironment = ({ environment }: Scope, { stream: name, data }: RecordedEvent): boolean =>
  !name.startsWith(`${Merchant.category}-`) || data.environment === undefined || data.environment === environment

/** What belongs to the story of what these entries name. */
const joinsOf = async (
  { readModels }: Reading,
  scope: Scope,
  kind: HistoryKind,
  told: ReadonlyArray<ToldEvent>,
): Promise<ReadonlyArray<Join>> => {
  const joins: Array<Join> = []
  const moved = new Set<string>()
  for (const { recorded, resourceId, told: each } of told) {
    moved.add(resourceId)
    for (const id of each.names ?? []) {
      if (ReturnId.is(id)) moved.add(id)
      const join = joinOf(kind, recorded.stream, id)
      if (join !== null) joins.push(join)
    }
    for (const key of each.misfits ?? [])
      for (const { id } of await readModels.exceptions.withKey(key)) {
        const join = joinOf(kind, recorded.stream, id)
        if (join !== null) joins.push(join)
      }
    const { amount } = each
    if (PayoutId.is(resourceId) && amount != null)
      joins.push({ stream: `${PayoutBook.category}-${bookId(scope, amount.assetId)}`, mode: 'about' })
  }
  for (const id of moved) {
    if (hasIntent(id)) joins.push(whole(stream.intent(intentIdOf(scope, id))))
    if (mayNeedApproval(id)) joins.push(whole(`${OutflowApproval.category}-${approvalIdOf(scope, id)}`))
  }
  return joins
}
