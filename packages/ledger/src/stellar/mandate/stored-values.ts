import { AccountId, ContractId, MandateId, type UnixMs, unixMs } from '@quittance/domain'
import { scValToNative, type xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { IntervalUnit, MandateParty, MandateRecord } from '../../mandate.ts'

/**
 * A codec that reads the SDK's native form of a contract's value; null from `read` refuses it. It writes nothing back.
 */
const reading = <A>(name: string, is: t.Is<A>, read: (input: unknown) => A | null): t.Type<A, A, unknown> =>
  new t.Type(
    name,
    is,
    (input, context) => {
      const value = read(input)
      return value === null ? t.failure(input, context) : t.success(value)
    },
    t.identity,
  )

const isText = (input: unknown): input is string => typeof input === 'string'
const isMoment = (input: unknown): input is UnixMs => typeof input === 'number'

/** The last moment that a `UnixMs` can name, in seconds. */
const lastSecond = 8_640_000_000_000n
const momentOf = (input: unknown): UnixMs | null =>
  typeof input === 'bigint' && input >= 0n && input <= lastSecond ? unixMs(Number(input) * 1000) : null

const bytesOf = (input: unknown): Buffer | null => (input instanceof Uint8Array ? Buffer.from(input) : null)

/** Whole Unix seconds. */
export const Moment = reading('Moment', isMoment, momentOf)
const End = new t.Type<UnixMs | null, null, unknown>(
  'End',
  (input): input is UnixMs | null => input === null || isMoment(input),
  (input, context) =>
    input === null || typeof input === 'bigint' ? t.success(momentOf(input)) : t.failure(input, context),
  () => null,
)
export const Reference = reading('Reference', isText, (input) => bytesOf(input)?.toString('utf8') ?? null)
export const Id = reading('Id', MandateId.is, (input) => {
  const hex = bytesOf(input)?.toString('hex')
  return MandateId.is(hex) ? hex : null
})
export const Party: t.Type<MandateParty, string, unknown> = t.union([AccountId, ContractId])

const units: ReadonlyMap<unknown, IntervalUnit> = new Map([
  [1, 'day'],
  [2, 'week'],
  [3, 'month'],
  [4, 'year'],
])
const Unit = reading(
  'Unit',
  (input): input is IntervalUnit => [...units.values()].some((unit) => unit === input),
  (input) => units.get(input) ?? null,
)

/** A mandate as its contract stores and emits it. Source: contracts/mandate/src/types.rs. */
export const StoredMandate = t.type({
  cancelled: t.boolean,
  cap: t.bigint,
  customer: Party,
  ends_at: End,
  first_charge_at: Moment,
  interval_count: t.number,
  interval_unit: Unit,
  last_period_start: t.union([Moment, t.null]),
  last_reference: Reference,
  operator: Party,
  payee: Party,
  reference: Reference,
  token: ContractId,
})

export const recordOf = (stored: t.TypeOf<typeof StoredMandate>): MandateRecord => ({
  customer: stored.customer,
  payee: stored.payee,
  operator: stored.operator,
  token: stored.token,
  cap: stored.cap,
  intervalUnit: stored.interval_unit,
  intervalCount: stored.interval_count,
  firstChargeAt: stored.first_charge_at,
  endsAt: stored.ends_at,
  reference: stored.reference,
  lastPeriodStart: stored.last_period_start,
  lastReference: stored.last_reference,
  isCancelled: stored.cancelled,
})

/** Reads a contract's value; null where it is something else. */
export const readValue = <A>(codec: t.Type<A, unknown, unknown>, value: xdr.ScVal): A | null => {
  try {
    return E.getOrElse<unknown, A | null>(() => null)(codec.decode(scValToNative(value)))
  } catch {
    return null
  }
}
