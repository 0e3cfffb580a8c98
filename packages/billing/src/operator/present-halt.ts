import type { Environment } from '@quittance/domain'
import { createIngestion, type Halted, type LedgerGateway, type LedgerUnreachable } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { StoreUnavailable } from '../kernel/load.ts'
import { ownersIn, watchedIn } from '../services/owners.ts'
import type { Services } from '../services/services.ts'

type Followable = { readonly _tag: 'Followable' }

/**
 * Why the ledger cannot be followed any further, as a worker would find it at this moment; null where it can. Nothing
 * is handled, and no cursor moved: whichever process asks, it need not be the one that has halted.
 */
export const presentHalt = async (
  services: Services,
  gateway: LedgerGateway,
  environment: Environment,
): Promise<E.Either<LedgerUnreachable | StoreUnavailable, Halted | null>> => {
  const ingestion = createIngestion<StoreUnavailable | Followable>({
    gateway,
    cursor: services.cursors.of(environment),
    watched: watchedIn(services, ownersIn(services, environment)),
    onLedger: () => TE.left({ _tag: 'Followable' }),
    alarm: () => undefined,
    batchSize: 1,
    firstLedger: 'latest',
  })
  const ingested = await ingestion.step()
  if (E.isRight(ingested)) return E.right(null)
  const { left } = ingested
  switch (left._tag) {
    case 'Followable':
      return E.right(null)
    case 'LedgerUnreachable':
    case 'StoreUnavailable':
      return E.left(left)
    case 'RangePruned':
    case 'LedgerUnreadable':
    case 'LedgerGap':
    case 'ChainBroken':
    case 'LedgerWentBack':
    case 'NodesDisagree':
      return E.right(left)
  }
}
