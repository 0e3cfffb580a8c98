import { Environment, LedgerSequence } from '@quittance/domain'
import type { IngestedLedger, TransactionOutcome } from '@quittance/ledger'
import type { Scope } from '@quittance/projections'
import * as t from 'io-ts'
import { CreditFact, MandateFactCodec, MovementFact, OutcomeFact } from './facts.ts'

/**
 * What a closed ledger holds for one merchant, each kind in the ledger's order. `queue` names what it has to wait behind: the
 * merchant's earlier shares, or of the platform's own transactions, each by its hash. `id` tells it apart in its queue.
 */
export type Share = Scope &
  Pick<IngestedLedger, 'credits' | 'mandates' | 'movements'> & {
    readonly queue: string
    readonly id: string
    readonly sequence: LedgerSequence
    readonly outcomes: ReadonlyArray<TransactionOutcome>
  }

/** A share as it is kept. */
export const ShareCodec: t.Type<Share, unknown> = t.strict({
  merchantId: t.string,
  environment: Environment,
  queue: t.string,
  id: t.string,
  sequence: LedgerSequence,
  credits: t.readonlyArray(CreditFact),
  mandates: t.readonlyArray(MandateFactCodec),
  movements: t.readonlyArray(MovementFact),
  outcomes: t.readonlyArray(OutcomeFact),
})
