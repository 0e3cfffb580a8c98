import { type AccountId, LedgerSequence, stroops, TransactionHash, unixMs } from '@quittance/domain'
import { decoded, hashOf } from '@quittance/domain/testing'
import type { ClosedLedger, LedgerBatch, LedgerGateway, TransactionOutcome } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'

/**
 * A gateway over a node whose ledgers hold failed fee bumps. A test cannot cause these: a signer would have to be
 * removed between the queue and the ledger. Nodes report that the inner transaction failed.
 */
export const failingBump = (gateway: LedgerGateway, feeSource: AccountId) => {
  const failed = new Map<string, TransactionOutcome>()
  const withFailed = (ledger: ClosedLedger): ClosedLedger => ({
    ...ledger,
    outcomesOf: (isOurs) => [
      ...[...failed.values()].filter(
        ({ ledger: at, innerHash }) => at === ledger.sequence && innerHash !== null && isOurs(innerHash),
      ),
      ...ledger.outcomesOf(isOurs),
    ],
  })
  return {
    /** A ledger, which need not be ingested yet, holds a failed bump of this transaction. */
    of: (hash: string, ledger: number): void => {
      const innerHash = decoded(TransactionHash, hash)
      failed.set(hash, {
        _tag: 'BumpFailed',
        transactionHash: hashOf(failed.size + 1),
        innerHash,
        ledger: decoded(LedgerSequence, ledger),
        closedAt: unixMs(0),
        code: 'txBadAuth',
        operationCodes: [],
        feeCharged: stroops(200n),
        feeSource,
      })
    },
    gateway: {
      ...gateway,
      readLedgers: (from, limit, after) =>
        TE.map((batch: LedgerBatch) => ({ ...batch, ledgers: [...batch.ledgers].map(withFailed) }))(
          gateway.readLedgers(from, limit, after),
        ),
      lookUp: (hash) => async () => {
        const found = await gateway.lookUp(hash)()
        const bump = failed.get(hash)
        if (E.isLeft(found) || found.right._tag !== 'NotFound' || bump === undefined) return found
        const { ledger, closedAt, code, operationCodes } = bump
        return E.right({ _tag: 'Failed', ledger, closedAt, code, operationCodes })
      },
    } satisfies LedgerGateway,
  }
}
