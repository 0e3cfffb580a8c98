import fc from 'fast-check'
import type * as t from 'io-ts'
import { AssetId } from '../shared/asset.ts'
import { cents, maximumCents } from '../shared/cents.ts'
import { supportedCurrencies } from '../shared/currency.ts'
import type { Environment } from '../shared/environment.ts'
import { ExceptionId } from '../shared/ids.ts'
import {
  type IncomingPayment,
  IncomingPaymentOrdinal,
  type IncomingPaymentOrigin,
  LedgerSequence,
  MuxedId,
  OperationIndex,
  TransactionHash,
} from '../shared/incoming-payment.ts'
import { MandateId } from '../shared/mandate-id.ts'
import { MetadataText } from '../shared/metadata.ts'
import { BasisPoints } from '../shared/platform-fee.ts'
import { KeyedHash, Sealed } from '../shared/sealed.ts'
import { maximumStroops, stroops } from '../shared/stroops.ts'
import { asText, HttpUrl } from '../shared/text.ts'
import { count, positiveCount, unixMs } from '../shared/units.ts'
import { accountOf } from './account.ts'
import { decoded, exampleId } from './examples.ts'

/** An object of arbitrary fields, with the prototype that decoded objects have. */
export const record = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> =>
  fc.record(model, { noNullPrototype: true })

/** As `record`, with any of its fields left out. */
export const partial = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(model, { noNullPrototype: true, requiredKeys: [] })

/** As `record`, with the fields of the second model beside it or left out. */
export const recordWith = <T, U>(
  model: { [K in keyof T]: fc.Arbitrary<T[K]> },
  optional: { [K in keyof U]: fc.Arbitrary<U[K]> },
) => fc.tuple(record(model), partial(optional)).map(([required, more]) => ({ ...required, ...more }))

export const anyStroops = fc.bigInt({ min: 0n, max: maximumStroops }).map(stroops)
export const anyCents = fc.bigInt({ min: 0n, max: maximumCents }).map(cents)
export const anyTime = fc.integer({ min: 0, max: 8_640_000_000_000_000 }).map(unixMs)
export const anyCount = fc.nat({ max: Number.MAX_SAFE_INTEGER }).map(count)
export const anyPositive = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).map(positiveCount)
export const anyText = fc
  .string({ unit: 'binary', maxLength: 20 })
  .filter((text) => !text.includes('\u0000') && text.isWellFormed())
  .map(asText)
export const anyUrl = fc.webUrl().map((url) => decoded(HttpUrl, url))
export const anyCurrency = fc.constantFrom(...supportedCurrencies.map(({ code }) => code))
export const anyAccount = fc.nat({ max: 255 }).map(accountOf)
export const anyAsset = fc.oneof(
  fc.constant(decoded(AssetId, 'native')),
  fc
    .tuple(fc.stringMatching(/^[A-Za-z0-9]{1,12}$/), anyAccount)
    .map(([code, issuer]) => decoded(AssetId, `${code}:${issuer}`)),
)
const anyHex = fc.stringMatching(/^[0-9a-f]{64}$/)
export const anyTransactionHash = anyHex.map((hex) => decoded(TransactionHash, hex))
export const anyMandateId = anyHex.map((hex) => decoded(MandateId, hex))
export const anyKeyedHash = anyHex.map((hex) => decoded(KeyedHash, hex))
export const anySealed = fc
  .uint8Array({ minLength: 1, maxLength: 40 })
  .map((bytes) => decoded(Sealed, Buffer.from(bytes).toString('base64')))
export const anyMetadata = fc
  .dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })
  .map((values) => decoded(MetadataText, JSON.stringify(values)))
export const anyEnvironment = fc.constantFrom<Environment>('testnet', 'mainnet')
export const anyLedger = fc.integer({ min: 1, max: 0xffff_ffff }).map((sequence) => decoded(LedgerSequence, sequence))
export const anyOperationIndex = fc.nat({ max: 99 }).map((index) => decoded(OperationIndex, index))

export const anyPlatformFee = record({
  basisPoints: fc.nat({ max: 10_000 }).map((points) => decoded(BasisPoints, points)),
  fixed: fc.array(record({ assetId: anyAsset, amount: anyStroops }), { maxLength: 2 }),
})

/** Any id of a kind. */
export const anyId = <A extends string>(codec: t.Type<A, string, unknown> & { readonly prefix: string }) =>
  fc.nat({ max: 65_535 }).map((number) => exampleId(codec, number))

export const orNothing = <A>(arbitrary: fc.Arbitrary<A>): fc.Arbitrary<A | null> => fc.option(arbitrary, { nil: null })

const anyFirstCredit: fc.Arbitrary<IncomingPayment> = record({
  transactionHash: anyTransactionHash,
  operationIndex: anyOperationIndex,
  ledger: anyLedger,
  closedAt: anyTime,
  from: anyAccount,
  amount: anyStroops,
  assetId: anyAsset,
})
export const anyOrdinal = fc.integer({ min: 1, max: 100 }).map((ordinal) => decoded(IncomingPaymentOrdinal, ordinal))

export const anyMuxedId = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((id) => decoded(MuxedId, id.toString()))
export const anyOrigin: fc.Arbitrary<IncomingPaymentOrigin> = record({
  kind: fc.constantFrom('payment', 'path_payment', 'account_created', 'contract_transfer'),
  fromMuxedId: orNothing(anyMuxedId),
  fromContract: orNothing(anyText),
  muxedId: orNothing(anyMuxedId),
})

/** The first credit of an operation, or a further one; of a fee bump, or not; as they were recorded at any time. */
export const anyCredit: fc.Arbitrary<IncomingPayment> = fc
  .tuple(
    anyFirstCredit,
    partial({
      ordinal: anyOrdinal,
      innerHash: anyTransactionHash,
      origin: anyOrigin,
      exceptionId: anyId(ExceptionId),
      mandateId: anyMandateId,
    }),
  )
  .map(([credit, more]) => ({ ...credit, ...more }))
