import type { Environment } from '@quittance/domain'
import { createIngestion, type Halted, type LedgerGateway, type LedgerUnreachable } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { StoreUnavailable } from '../kernel/load.ts'
import { ownersIn, watchedIn } from '../services/owners.ts'
import type { Services } from '../services/services.ts'

type Ingestible = { readonly _tag: 'Ingestible' }

/**
 * Why a worker's ingestion would halt now; null if it would not. Handles no ledger and moves no cursor, so any process
 * may call this.
 */
export const currentHalt = async (
  services: Pick<Services, 'readModels' | 'caughtUp' | 'cursors' | 'left'>,
  gateway: LedgerGateway,
  environment: Environment,
): Promise<E.Either<LedgerUnreachable | StoreUnavailable, Halted | null>> => {
  const ingestion = createIngestion<StoreUnavailable | Ingestible>({
    gateway,
    cursor: services.cursors.of(environment),
    watched: watchedIn(services, ownersIn(services, environment)),
    onLedger: () => TE.left({ _tag: 'Ingestible' }),
    alarm: () => undefined,
    batchSize: 1,
    firstLedger: 'latest',
  })
  const ingested = await ingestion.step()
  if (E.isRight(ingested)) return E.right(null)
  const { left } = ingested
  switch (left._tag) {
    case 'Ingestible':
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
