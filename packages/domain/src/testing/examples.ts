import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { AssetId } from '../shared/asset.ts'
import { makeId } from '../shared/ids.ts'
import { type IncomingPayment, LedgerSequence, OperationIndex, TransactionHash } from '../shared/incoming-payment.ts'
import { stroops } from '../shared/stroops.ts'
import { unixMs } from '../shared/units.ts'
import { accountOf } from './account.ts'

/** What the codec reads from a value that a test gives; throws where the codec refuses it. */
export const decoded = <A, O>(codec: t.Type<A, O, unknown>, input: unknown): A => {
  const result = codec.decode(input)
  if (E.isRight(result)) return result.right
  throw new TypeError(`${JSON.stringify(input)} is no ${codec.name}`)
}

/** The moment at which the examples begin: 14 November 2023, 22:13:20 UTC. */
export const start = unixMs(1_700_000_000_000)

/** The example id of a kind with a number of its own, such as `exampleId(PaymentId, 1)`. */
export const exampleId = <A extends string>(
  codec: t.Type<A, string, unknown> & { readonly prefix: string },
  number: number,
): A => makeId(codec, start, Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, number >> 8, number & 0xff))

/** The account of the example merchant. */
export const merchantAccount = accountOf(1)
/** The account of the example payer. */
export const payerAccount = accountOf(2)
/** The example dollars. */
export const usdc = decoded(AssetId, `USDC:${accountOf(3)}`)
export const eurc = decoded(AssetId, `EURC:${accountOf(4)}`)
/** Lumens. */
export const native = decoded(AssetId, 'native')

/** The example hash of a transaction with a number of its own. */
export const hashOf = (number: number): TransactionHash =>
  decoded(TransactionHash, number.toString(16).padStart(64, '0'))

/** 10 USDC from the payer, a minute after the start; a test changes what it is about. */
export const exampleCredit: IncomingPayment = {
  transactionHash: hashOf(1),
  operationIndex: decoded(OperationIndex, 0),
  ledger: decoded(LedgerSequence, 1000),
  closedAt: unixMs(start + 60_000),
  from: payerAccount,
  amount: stroops(100_000_000n),
  assetId: usdc,
}
