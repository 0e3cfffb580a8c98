import { AssetId, Payment, type RecordedEvent, Stroops, stroops, UnixMs } from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { sql } from 'kysely'
import { given } from './compile.ts'
import { decodedBy } from './decode.ts'
import type { Dialect } from './dialect.ts'
import type { ReadModel, Scope } from './read-model.ts'
import type { Reading } from './reading.ts'
import { type StoredRow, tableName } from './table-rows.ts'

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

/** Sums may exceed what a number holds, and what SQLite adds up: they are made of two parts. */
const unit = 1_000_000_000n

const bookedFeesQueries = ({ builder, integerIn }: Dialect) => {
  const part = (operator: '/' | '%', name: string) =>
    sql<string>`cast(sum(${integerIn('amount')} ${sql.raw(operator)} ${sql.raw(unit.toString())}) as text)`.as(name)
  const sums = builder
    .selectFrom(tableName(platformFees))
    .select(['merchant_id', 'status', part('/', 'whole'), part('%', 'rest')])
    .where('environment', '=', given<string>('environment'))
    .where(integerIn('confirmedAt'), '>', given<number>('after'))
    .groupBy(['merchant_id', 'status'])
    .orderBy('merchant_id')
    .orderBy('status')
  return {
    all: sums.compile(),
    ofMerchant: sums.where('merchant_id', '=', given<string>('merchantId')).compile(),
  }
}

const bookedFeesIn = ({ merchant_id, status, whole, rest }: StoredRow): BookedFees => ({
  merchantId: String(merchant_id),
  assetId: decodeAsset(status),
  amount: BigInt(String(whole)) * unit + BigInt(String(rest)),
})

/** What was booked by payments that were confirmed after a moment, by merchant and asset. */
export const bookedFees = (reading: Reading) => {
  const queries = bookedFeesQueries(reading.dialect)
  const all = reading.prepare(queries.all)
  const ofMerchant = reading.prepare(queries.ofMerchant)
  return {
    of: async ({ merchantId, environment }: Scope, after: UnixMs): Promise<ReadonlyArray<BookedFees>> =>
      (await ofMerchant.all({ merchantId, environment, after })).map(bookedFeesIn),
    all: async (environment: Scope['environment'], after: UnixMs): Promise<ReadonlyArray<BookedFees>> =>
      (await all.all({ environment, after })).map(bookedFeesIn),
  }
}

const decodeAsset = (text: unknown): AssetId => {
  if (AssetId.is(text)) return text
  throw new Error(`${text} is no asset`)
}
