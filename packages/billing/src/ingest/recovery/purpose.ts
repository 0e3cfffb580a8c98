import { type IntentDetails, type IntentId, MuxedId, type PaymentAction } from '@quittance/domain'
import type { OwnPayment, OwnTransaction } from '@quittance/ledger'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type { LimitServices } from '../../features/limits/services.ts'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { derivedCommandId } from '../../kernel/derive.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import type { Services } from '../../services/services.ts'
import { ownHashOf } from './forgotten.ts'

/** What recovery may touch. */
export type RecoveryServices = LimitServices & Pick<Services, 'caughtUp' | 'vault' | 'awaitingRate'>

/** A payment in a closed ledger, of a transaction of ours that the log has lost. */
export type Forgotten = { readonly scope: Scope; readonly own: OwnTransaction; readonly payment: OwnPayment }

/** Somebody has decided meanwhile about what a payment seemed to be for. */
export type DecidedOtherwise = { readonly _tag: 'DecidedOtherwise' }
export const decidedOtherwise: E.Either<DecidedOtherwise, never> = E.left({ _tag: 'DecidedOtherwise' })

/**
 * What a forgotten payment may have been for. `subject` is what it was paid for, once; `intentId` is the same each time;
 * `memos` are those that name it. `isPending` says that the log knows of the decision to pay, and would pay. `claim`
 * records what has to stand before the intent, and answers the intent: null where the log has it.
 */
export type Purpose = {
  readonly kind: 'refund' | 'return' | 'payout'
  readonly isPending: boolean
  readonly subject: string
  readonly intentId: IntentId
  readonly memos: ReadonlyArray<string>
  readonly claim: () => Promise<E.Either<ProcessFailure | DecidedOtherwise, IntentDetails | null>>
}

/** The permanent name of a forgotten payment: the ids of what is recovered by it derive from it. */
export const causeOf = ({ scope, own, payment }: Forgotten, purpose: string): string =>
  derivedCommandId(`${scope.environment}/${ownHashOf(own)}/${payment.operationIndex}`, `recover ${purpose}`)

/** The intent that a forgotten payment has fulfilled, with what the ledger says of it. */
export const fulfilled = (
  { payment }: Forgotten,
  wanted: Pick<IntentDetails, 'class' | 'owner' | 'memo' | 'memoId'>,
): IntentDetails => {
  const { from: source, destination, muxedId, assetId, amount } = payment
  const muxed = muxedId === null ? {} : { destinationMuxedId: decodeOrThrow(MuxedId, muxedId) }
  const action: PaymentAction = { _tag: 'payment', destination, assetId, amount, ...muxed }
  return { ...wanted, source, action }
}
