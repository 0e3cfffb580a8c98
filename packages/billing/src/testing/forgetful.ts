import { LedgerSequence } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import type { LedgerGateway } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'

/** The ledgers that a node holds, from `oldest` on; a test changes it. `isSilent`: the node does not answer. */
export type Memory = { oldest: number; isSilent: boolean }

/** The gateway over a node that has forgotten its earlier ledgers, with the transactions in them. */
export const forgetful = (gateway: LedgerGateway, memory: Memory): LedgerGateway => {
  const silent = { _tag: 'LedgerUnreachable' as const, cause: 'a test' }
  const unlessSilent = <L, A>(question: TE.TaskEither<L, A>): TE.TaskEither<L | typeof silent, A> =>
    memory.isSilent ? TE.left(silent) : question
  return {
    ...gateway,
    latestLedger: () => unlessSilent(gateway.latestLedger()),
    readLedgers: (from, limit, after) =>
      from < memory.oldest
        ? TE.left({ _tag: 'RangePruned', from, oldest: decoded(LedgerSequence, memory.oldest) })
        : unlessSilent(gateway.readLedgers(from, limit, after)),
    lookUp: (hash) => async () => {
      const found = await gateway.lookUp(hash)()
      if (E.isLeft(found) || found.right._tag === 'NotFound' || found.right.ledger >= memory.oldest) return found
      const latest = await gateway.latestLedger()()
      const held = await gateway.readLedgers(decoded(LedgerSequence, memory.oldest), 1, null)()
      if (E.isLeft(latest) || E.isLeft(held)) return E.left(silent)
      const [oldest = latest.right] = held.right.ledgers
      const [from, to] = [oldest, latest.right]
      const range = {
        oldest: from.sequence,
        oldestClosedAt: from.closedAt,
        latest: to.sequence,
        latestClosedAt: to.closedAt,
      }
      return E.right({ _tag: 'NotFound', range })
    },
  }
}
