import { Environment, LedgerSequence } from '@quittance/domain'
import type { IncomingPayment, IngestedLedger, OwnTransaction, TransactionOutcome } from '@quittance/ledger'
import type { Scope } from '@quittance/projections'
import * as t from 'io-ts'
import { IncomingPaymentFact, MandateFactCodec, MovementFact, OutcomeFact, OwnTransactionFact } from './facts.ts'

/**
 * What a closed ledger holds for one merchant, each kind in the ledger's order. `queue` names the shares that it waits
 * behind: the merchant's earlier ones or, for the platform, those of the same transaction. `id` is unique in a queue.
 */
export type Share = Scope &
  Pick<IngestedLedger, 'mandates' | 'movements'> & {
    readonly credits: ReadonlyArray<IncomingPayment>
    readonly queue: string
    readonly id: string
    readonly sequence: LedgerSequence
    readonly outcomes: ReadonlyArray<TransactionOutcome>
    /** Transactions of ours that the log does not know. */
    readonly forgotten: ReadonlyArray<OwnTransaction>
  }

const orNone = <A>(list: t.Type<ReadonlyArray<A>, unknown>): t.Type<ReadonlyArray<A>, unknown> =>
  new t.Type(list.name, list.is, (value, context) => list.validate(value ?? [], context), list.encode)

export const ShareCodec: t.Type<Share, unknown> = t.strict({
  merchantId: t.string,
  environment: Environment,
  queue: t.string,
  id: t.string,
  sequence: LedgerSequence,
  credits: t.readonlyArray(IncomingPaymentFact),
  mandates: t.readonlyArray(MandateFactCodec),
  movements: t.readonlyArray(MovementFact),
  outcomes: t.readonlyArray(OutcomeFact),
  // Shares that an earlier release has parked lack it.
  forgotten: orNone(t.readonlyArray(OwnTransactionFact)),
})
