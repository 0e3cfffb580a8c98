import { LedgerSequence, Stroops, TransactionHash, type UnixMs, unixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { BASE_FEE } from '../fee-stats.ts'

const isSeconds = (seconds: number): boolean =>
  Number.isSafeInteger(seconds) && seconds >= 0 && seconds <= 8_640_000_000_000

/** A close time in whole seconds, which some methods write as a number and some as text. */
const CloseTime: t.Type<UnixMs, unknown, unknown> = new t.Type(
  'CloseTime',
  (input): input is UnixMs => typeof input === 'number',
  (input, context) => {
    const seconds = typeof input === 'string' && /^\d+$/.test(input) ? Number(input) : input
    return typeof seconds === 'number' && isSeconds(seconds)
      ? t.success(unixMs(seconds * 1000))
      : t.failure(input, context)
  },
  t.identity,
)

/** Before version 27.1.0, stellar-rpc returns no close time. */
export const Health = t.type({
  latestLedger: LedgerSequence,
  latestLedgerCloseTime: t.union([CloseTime, t.undefined]),
  oldestLedger: LedgerSequence,
  ledgerRetentionWindow: t.union([t.number, t.undefined]),
})

export const Ledgers = t.type({ ledgers: t.array(t.type({ sequence: LedgerSequence, metadataXdr: t.string })) })

/** Transactions in the order of ledgers and of application. */
export const Transactions = t.type({
  transactions: t.array(
    t.type({
      ledger: LedgerSequence,
      applicationOrder: t.number,
      txHash: TransactionHash,
      envelopeXdr: t.string,
      resultXdr: t.string,
      resultMetaXdr: t.string,
    }),
  ),
  cursor: t.string,
})
export type Transactions = t.TypeOf<typeof Transactions>

export const LedgerEntries = t.type({
  entries: t.union([
    t.array(t.type({ xdr: t.string, lastModifiedLedgerSeq: t.union([LedgerSequence, t.undefined]) })),
    t.null,
    t.undefined,
  ]),
  latestLedger: LedgerSequence,
})

export type LedgerEntries = t.TypeOf<typeof LedgerEntries>

/** Only contracts' entries have `liveUntilLedgerSeq`. */
export const KeyedEntries = t.type({
  entries: t.union([
    t.array(
      t.type({
        key: t.string,
        xdr: t.string,
        liveUntilLedgerSeq: t.union([t.number, t.null, t.undefined]),
        lastModifiedLedgerSeq: t.union([t.number, t.undefined]),
      }),
    ),
    t.null,
    t.undefined,
  ]),
  latestLedger: LedgerSequence,
})
export type KeyedEntries = t.TypeOf<typeof KeyedEntries>

const list = <C extends t.Mixed>(item: C) => t.union([t.array(item), t.null, t.undefined])

/** Only a failed simulation has an `error`. */
export const Simulated = t.union([
  t.type({ error: t.string, latestLedger: LedgerSequence }),
  t.type({
    error: t.undefined,
    transactionData: t.string,
    minResourceFee: Stroops,
    results: list(t.type({ xdr: t.string, auth: list(t.string) })),
    events: list(t.string),
    latestLedger: LedgerSequence,
  }),
])
export type Simulated = t.TypeOf<typeof Simulated>

/** `protocolVersion` is that of the newest ledger (stellar-rpc reads it there), not what the node could run. */
export const Versions = t.type({
  protocolVersion: t.number,
  captiveCoreVersion: t.union([t.string, t.undefined]),
})

export const Network = t.type({ passphrase: t.string })

export const Sent = t.union([
  t.type({ status: t.keyof({ PENDING: null, DUPLICATE: null, TRY_AGAIN_LATER: null }), latestLedger: LedgerSequence }),
  t.type({ status: t.literal('ERROR'), errorResultXdr: t.string, latestLedger: LedgerSequence }),
])
export type Sent = t.TypeOf<typeof Sent>

export const Found = t.union([
  t.type({
    status: t.keyof({ SUCCESS: null, FAILED: null }),
    ledger: LedgerSequence,
    createdAt: CloseTime,
    resultXdr: t.string,
  }),
  t.type({
    status: t.literal('NOT_FOUND'),
    latestLedger: LedgerSequence,
    latestLedgerCloseTime: CloseTime,
    oldestLedger: LedgerSequence,
    oldestLedgerCloseTime: CloseTime,
  }),
])
export type Found = t.TypeOf<typeof Found>

/** A fee for one operation: 0 in a response means that no operation was charged. */
const Fee: t.Type<Stroops, unknown, unknown> = new t.Type(
  'Fee',
  Stroops.is,
  (input, context) =>
    E.map((fee: Stroops): Stroops => (fee > BASE_FEE ? fee : BASE_FEE))(Stroops.validate(input, context)),
  t.identity,
)

const Fees = t.strict({
  min: Fee,
  mode: Fee,
  p10: Fee,
  p20: Fee,
  p30: Fee,
  p40: Fee,
  p50: Fee,
  p60: Fee,
  p70: Fee,
  p80: Fee,
  p90: Fee,
  p95: Fee,
  p99: Fee,
  max: Fee,
})

export const ChargedFees = t.type({ inclusionFee: Fees, sorobanInclusionFee: Fees, latestLedger: LedgerSequence })

/** Reads a response. Throws for one that makes no sense, which callers treat as no response. */
export const readResponse = <A, O>(codec: t.Type<A, O, unknown>, response: unknown): A =>
  E.getOrElseW((): never => {
    throw new Error(`the response is no ${codec.name}`)
  })(codec.decode(response))
