import type { IntentDetails, IntentEnd } from '@quittance/domain'
import type { LedgerHead } from '@quittance/ledger'
import type { Scope } from '@quittance/projections'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { ProcessFailure } from '../../services/process-failure.ts'
import type { Services } from '../../services/services.ts'

/**
 * Tells the owner of an intent how that ended. Told again after a crash, it must write nothing twice. `at` is the close
 * time of the newest ledger that was ingested. False where the owner cannot be told yet: the end stays on the to-do list.
 */
export type Reporter = (
  services: Services,
  scope: Scope,
  intent: IntentDetails,
  end: IntentEnd,
  at: LedgerHead['closedAt'],
) => TE.TaskEither<ProcessFailure, boolean>
