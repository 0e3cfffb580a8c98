import { AssetId, Payment, type RecordedEvent, Stroops, stroops, UnixMs } from '@quittance/domain'
import type { SqlDatabase } from '@quittance/event-store'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { sql } from 'kysely'
import { given, prepare, sqlBuilder } from './compile.ts'
import { decodedBy } from './decode.ts'
import type { ReadModel, Scope } from './read-model.ts'
import { tableName } from './table-rows.ts'

/** What a merchant owes the operator for a payment: nothing any more for one that went back without a refund. */
const PlatformFeeRow = t.strict({ assetId: AssetId, amount: Stroops, confirmedAt: UnixMs })
type PlatformFeeRow = t.TypeOf<typeof PlatformFeeRow>

const decode = decodedBy(Payment)

const fold = (row: O.Option<PlatformFeeRow>, recorded: RecordedEvent): O.Option<PlatformFeeRow> => {
  const { type, data } = decode(recorded)
  if (type === 'PaymentConfirmed' && data.platformFee !== undefined)
    return O.some({ ...data.platformFee, confirmedAt: data.confirmedAt })
  return type === 'ReturnClaimed' ? O.map((known: PlatformFeeRow) => ({ ...known, amount: stroops(0n) }))(row) : row
}

/** A row for each payment that bears a fee; nothing is read or written for the others. */
export const platformFees: ReadModel<PlatformFeeRow> = {
  name: 'platform_fees',
  version: 2,
  category: Payment.category,
  row: PlatformFeeRow,
  fold,
  rowOf: ({ type, stream, data }) =>
    data.platformFee === undefined || type === 'PaymentOpened' ? null : stream.slice(Payment.category.length + 1),
  columns: ({ assetId }) => ({ status: assetId }),
}

/** What was booked of fees in an asset. */
export type BookedFees = { readonly merchantId: string; readonly assetId: AssetId; readonly amount: bigint }

/** Sums may exceed what a number holds, and what SQLite adds up. */
const part = (amount: string, name: string) => sql<string>`cast(sum(${sql.raw(amount)}) as text)`.as(name)
const amount = "cast(body ->> 'amount' as integer)"
const unit = 1_000_000_000n

/** What was booked by payments that were confirmed after a moment, by merchant and asset. */
export const bookedFees = (database: SqlDatabase) => {
  const sums = sqlBuilder
    .selectFrom(tableName(platformFees))
    .select(['merchant_id', 'status', part(`${amount} / ${unit}`, 'whole'), part(`${amount} % ${unit}`, 'rest')])
    .where('environment', '=', given<string>('environment'))
    .where(sql<number>`cast(body ->> 'confirmedAt' as integer)`, '>', given<number>('after'))
    .groupBy(['merchant_id', 'status'])
    .orderBy('merchant_id')
    .orderBy('status')
  const all = prepare(database, sums.compile())
  const ofMerchant = prepare(database, sums.where('merchant_id', '=', given<string>('merchantId')).compile())
  const read = (rows: ReturnType<typeof all.all>): ReadonlyArray<BookedFees> =>
    rows.map(({ merchant_id, status, whole, rest }) => ({
      merchantId: String(merchant_id),
      assetId: decodeAsset(status),
      amount: BigInt(String(whole)) * unit + BigInt(String(rest)),
    }))
  return {
    of: ({ merchantId, environment }: Scope, after: UnixMs): ReadonlyArray<BookedFees> =>
      read(ofMerchant.all({ merchantId, environment, after })),
    all: (environment: Scope['environment'], after: UnixMs): ReadonlyArray<BookedFees> =>
      read(all.all({ environment, after })),
  }
}

const decodeAsset = (text: unknown): AssetId => {
  if (AssetId.is(text)) return text
  throw new Error(`${text} is no asset`)
}
