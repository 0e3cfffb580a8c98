import type { AccountId, ContractId, LedgerSequence, TransactionHash } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { disagreement, type PairedLedger, pairedLedgers } from './continuity.ts'
import type { AccountLookUp, LedgerGateway, LedgerUnreachable, ReadFailure } from './gateway.ts'
import type { IncomingPayment } from './incoming-payment.ts'
import type { MandateFact } from './mandate.ts'
import type { TransactionOutcome } from './outcome.ts'
import { withAnswers } from './with-answers.ts'

/** What one ledger brought to the watched accounts, and what happened there in mandate contracts. */
export type ReceivedInLedger = {
  readonly incomingPayments: ReadonlyArray<IncomingPayment>
  readonly mandates: ReadonlyArray<MandateFact>
}

/**
 * Reads one ledger by itself, apart from ingestion. Null where no node holds it any more or can read it, or where two
 * nodes disagree about it.
 */
export const receivedInLedger =
  ({ readLedgers }: LedgerGateway, watched: AccountLookUp, contracts: ReadonlySet<ContractId>) =>
  (sequence: LedgerSequence): TaskEither<LedgerUnreachable, ReceivedInLedger | null> =>
  async () => {
    const batch = await readLedgers(sequence, 1, null)()
    if (E.isLeft(batch)) return unlessUnreachable(batch.left)
    const [paired] = pairedLedgers(batch.right)
    if (paired?.ledger.sequence !== sequence || paired.ledger.undecoded !== undefined) return E.right(null)
    const { incomingPayments, disagreed } = await withAnswers(
      (account: AccountId) => watched.has(account),
      false,
      (has) => {
        const received = paired.ledger.incomingPaymentsTo({ has })
        return {
          incomingPayments: received,
          disagreed: disagreement(batch.right, paired, received, { has }, contracts),
        }
      },
    )
    return E.right(disagreed === null ? { incomingPayments, mandates: paired.ledger.mandatesOf(contracts) } : null)
  }

const unlessUnreachable = (failure: ReadFailure): E.Either<LedgerUnreachable, null> =>
  failure._tag === 'LedgerUnreachable' ? E.left(failure) : E.right(null)

/** The outcomes of a transaction in one ledger. `isContinued`: the next ledger exists and names this one's header. */
export type OutcomesInLedger = {
  readonly outcomes: ReadonlyArray<TransactionOutcome>
  readonly isContinued: boolean
}

/**
 * Reads the outcomes of a transaction, by its outer or inner hash, from one ledger by itself. Null as above. The
 * network continues no forged ledger.
 */
export const outcomesInLedger =
  ({ readLedgers }: LedgerGateway, hash: TransactionHash) =>
  (sequence: LedgerSequence): TaskEither<LedgerUnreachable, OutcomesInLedger | null> =>
  async () => {
    const batch = await readLedgers(sequence, 2, null)()
    if (E.isLeft(batch)) return unlessUnreachable(batch.left)
    const [paired, next] = pairedLedgers(batch.right)
    const outcomes = outcomesIn(paired, sequence, hash)
    if (paired === undefined || outcomes === null) return E.right(null)
    return E.right({ outcomes, isContinued: next?.ledger.previousHash === paired.ledger.hash })
  }

/**
 * The outcomes of a transaction in the expected ledger; null where it is another ledger, or two nodes disagree about
 * it.
 */
export const outcomesIn = (
  paired: PairedLedger | undefined,
  sequence: LedgerSequence,
  hash: TransactionHash,
): ReadonlyArray<TransactionOutcome> | null => {
  if (paired?.ledger.sequence !== sequence || paired.ledger.undecoded !== undefined) return null
  if (paired.twin !== null && paired.twin.hash !== paired.ledger.hash) return null
  return paired.ledger.outcomesOf((each) => each === hash)
}
