import {
  PriceChangeId,
  type RecordedEvent,
  Subscription,
  type SubscriptionEvent,
  SubscriptionId,
  UnixMs,
} from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { given } from './compile.ts'
import { decodedBy } from './decode.ts'
import type { Dialect } from './dialect.ts'
import type { ReadModel, Scope } from './read-model.ts'
import type { Reading } from './reading.ts'
import { type StoredRow, tableName } from './table-rows.ts'

/**
 * How far a subscription is with a price change: it waits for its date, or for the customer's consent; it pays the new price,
 * has kept the old one or was canceled for want of consent; or the change does not concern it any more.
 */
export const PriceChangeProgress = t.keyof(
  { waiting: null, awaiting_consent: null, changed: null, kept: null, canceled: null, dropped: null },
  'PriceChangeProgress',
)
export type PriceChangeProgress = t.TypeOf<typeof PriceChangeProgress>

/** What a price change means for one subscription. */
export const PriceChangeSubscriptionRow = t.strict({
  priceChangeId: PriceChangeId,
  subscriptionId: SubscriptionId,
  progress: PriceChangeProgress,
  effectiveAt: UnixMs,
  noticedAt: UnixMs,
  acceptedAt: t.union([t.null, UnixMs]),
  endedAt: t.union([t.null, UnixMs]),
})
export type PriceChangeSubscriptionRow = t.TypeOf<typeof PriceChangeSubscriptionRow>

const decode = decodedBy(Subscription)

const changeIn = (recorded: RecordedEvent): PriceChangeId | null => {
  const { data } = decode(recorded)
  if ('notice' in data) return data.notice.priceChangeId
  return 'priceChangeId' in data ? data.priceChangeId : null
}

const subscriptionIn = ({ stream }: RecordedEvent): string => stream.slice(`${Subscription.category}-`.length)

/** The id of the row of a subscription, under one price change. */
export const priceChangeEntryId = (priceChangeId: string, subscriptionId: string): string =>
  `${priceChangeId}/${subscriptionId}`

const fold = (
  row: O.Option<PriceChangeSubscriptionRow>,
  recorded: RecordedEvent,
): O.Option<PriceChangeSubscriptionRow> => {
  const { type, data } = decode(recorded)
  const patch = (change: Partial<PriceChangeSubscriptionRow>) =>
    O.map((known: PriceChangeSubscriptionRow) => ({ ...known, ...change }))(row)
  if (type === 'PriceChangeAnnounced') return announced(subscriptionIn(recorded), data)
  if (type === 'PriceChangeAccepted') return patch({ progress: 'waiting', acceptedAt: data.at })
  if (type === 'PriceChanged') return patch({ progress: 'changed', endedAt: data.at })
  if (type === 'PriceChangeDropped') return patch({ progress: 'dropped', endedAt: data.at })
  if (type !== 'PriceChangeRefused') return row
  return patch({ progress: data.outcome === 'keep' ? 'kept' : 'canceled', endedAt: data.at })
}

type Announced = Extract<SubscriptionEvent, { readonly type: 'PriceChangeAnnounced' }>['data']

const announced = (subscriptionId: string, { notice, at }: Announced): O.Option<PriceChangeSubscriptionRow> => {
  if (!SubscriptionId.is(subscriptionId)) return O.none
  const { priceChangeId, effectiveAt, needsConsent } = notice
  const progress = needsConsent ? 'awaiting_consent' : 'waiting'
  return O.some({
    priceChangeId,
    subscriptionId,
    progress,
    effectiveAt,
    noticedAt: at,
    acceptedAt: null,
    endedAt: null,
  })
}

/** Listed under its price change. */
export const priceChangeSubscriptions: ReadModel<PriceChangeSubscriptionRow> = {
  name: 'price_change_subscriptions',
  version: 1,
  category: Subscription.category,
  row: PriceChangeSubscriptionRow,
  rowOf: (recorded) => {
    const change = changeIn(recorded)
    return change === null ? null : priceChangeEntryId(change, subscriptionIn(recorded))
  },
  fold,
  columns: ({ priceChangeId, progress }) => ({ listedUnder: priceChangeId, status: progress }),
}

/** Counts the rows of a price change by their progress. */
const progressQuery = ({ builder }: Dialect) =>
  builder
    .selectFrom(tableName(priceChangeSubscriptions))
    .select(({ fn }) => ['status', fn.countAll().as('rows')])
    .where('merchant_id', '=', given<string>('merchantId'))
    .where('environment', '=', given<string>('environment'))
    .where('listed_under', '=', given<string>('listedUnder'))
    .groupBy('status')
    .compile()

const progressIn = (rows: ReadonlyArray<StoredRow>): Readonly<Record<PriceChangeProgress, number>> => {
  const count = (progress: PriceChangeProgress) => Number(rows.find(({ status }) => status === progress)?.rows ?? 0)
  return {
    waiting: count('waiting'),
    awaiting_consent: count('awaiting_consent'),
    changed: count('changed'),
    kept: count('kept'),
    canceled: count('canceled'),
    dropped: count('dropped'),
  }
}

/** How many subscriptions of a price change are how far. */
export const progressCounts = (reading: Reading) => {
  const counted = reading.prepare(progressQuery(reading.dialect))
  return {
    of: async (
      { merchantId, environment }: Scope,
      priceChangeId: string,
    ): Promise<Readonly<Record<PriceChangeProgress, number>>> =>
      progressIn(await counted.all({ merchantId, environment, listedUnder: priceChangeId })),
  }
}
