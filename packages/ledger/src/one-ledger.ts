import type { LedgerSequence } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Credit } from './credit.ts'
import { disagreement, withTwins } from './follower-history.ts'
import type { LedgerGateway, LedgerUnreachable, WatchedAccounts } from './gateway.ts'

/**
 * What one ledger brought to the watched accounts, read by itself, whatever was followed before it. Null where nobody can
 * say: no node holds it any more or can read it, or two nodes tell it differently.
 */
export const creditsInLedger =
  ({ readLedgers }: LedgerGateway, watched: WatchedAccounts) =>
  (sequence: LedgerSequence): TaskEither<LedgerUnreachable, ReadonlyArray<Credit> | null> =>
  async () => {
    const batch = await readLedgers(sequence, 1, null)()
    if (E.isLeft(batch)) return batch.left._tag === 'LedgerUnreachable' ? E.left(batch.left) : E.right(null)
    const [told] = withTwins(batch.right)
    if (told?.ledger.sequence !== sequence) return E.right(null)
    const credits = told.ledger.creditsTo(watched)
    return E.right(disagreement(batch.right, told, credits, watched) === null ? credits : null)
  }
