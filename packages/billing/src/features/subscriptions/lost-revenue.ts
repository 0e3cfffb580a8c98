import type { Environment } from '@quittance/domain'
import type { LostRevenue } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { StoreUnavailable } from '../../kernel/load.ts'
import type { Services } from '../../services/services.ts'

/**
 * The prices of periods that nobody is charged for because of a cause on our side, by currency: of all merchants of an
 * environment, or of one.
 */
export type LostRevenues = (
  environment: Environment,
  merchantId: string | null,
) => TE.TaskEither<StoreUnavailable, ReadonlyArray<LostRevenue>>

export const lostRevenues =
  ({ caughtUp, readModels }: Pick<Services, 'caughtUp' | 'readModels'>): LostRevenues =>
  (environment, merchantId) =>
  async () => {
    const caught = await caughtUp.withLog()
    return E.isLeft(caught) ? caught : E.right(await readModels.lostRevenue.totals(environment, merchantId))
  }
