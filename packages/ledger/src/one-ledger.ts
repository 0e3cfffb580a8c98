import type { ContractId, LedgerSequence, TransactionHash } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { disagreement, pairedLedgers } from './continuity.ts'
import type { LedgerGateway, LedgerUnreachable, WatchedAccounts } from './gateway.ts'
import type { IncomingPayment } from './incoming-payment.ts'
import type { MandateFact } from './mandate.ts'
import type { TransactionOutcome } from './outcome.ts'

/** What one ledger brought to the watched accounts, and what happened there in mandate contracts. */
export type ReceivedInLedger = {
  readonly credits: ReadonlyArray<IncomingPayment>
  readonly mandates: ReadonlyArray<MandateFact>
}

/**
 * Reads one ledger by itself, apart from ingestion. Null where nobody can say: no node holds it any more or can
 * read it, or two nodes tell it differently.
 */
export const receivedInLedger =
  ({ readLedgers }: LedgerGateway, watched: WatchedAccounts, contracts: ReadonlySet<ContractId>) =>
  (sequence: LedgerSequence): TaskEither<LedgerUnreachable, ReceivedInLedger | null> =>
  async () => {
    const batch = await readLedgers(sequence, 1, null)()
    if (E.isLeft(batch)) return batch.left._tag === 'LedgerUnreachable' ? E.left(batch.left) : E.right(null)
    const [told] = pairedLedgers(batch.right)
    if (told?.ledger.sequence !== sequence) return E.right(null)
    const credits = told.ledger.creditsTo(watched)
    if (disagreement(batch.right, told, credits, watched, contracts) !== null) return E.right(null)
    return E.right({ credits, mandates: told.ledger.mandatesOf(contracts) })
  }

/** How a transaction ended in one ledger. `isContinued`: the next ledger is there, and names this one's header. */
export type OutcomesInLedger = {
  readonly outcomes: ReadonlyArray<TransactionOutcome>
  readonly isContinued: boolean
}

/**
 * What one ledger, read by itself, holds of a transaction, by its outer or inner hash. Null where nobody can say, as above.
 * Who forges a ledger cannot have the network continue it.
 */
export const outcomesInLedger =
  ({ readLedgers }: LedgerGateway, hash: TransactionHash) =>
  (sequence: LedgerSequence): TaskEither<LedgerUnreachable, OutcomesInLedger | null> =>
  async () => {
    const batch = await readLedgers(sequence, 2, null)()
    if (E.isLeft(batch)) return batch.left._tag === 'LedgerUnreachable' ? E.left(batch.left) : E.right(null)
    const [told, next] = pairedLedgers(batch.right)
    if (told?.ledger.sequence !== sequence) return E.right(null)
    if (told.twin !== null && told.twin.hash !== told.ledger.hash) return E.right(null)
    const outcomes = told.ledger.outcomesOf((each) => each === hash)
    return E.right({ outcomes, isContinued: next?.ledger.previousHash === told.ledger.hash })
  }
