import type { IntentDetails, IntentEnd } from '@quittance/domain'
import type { LedgerHead } from '@quittance/ledger'
import type { Scope } from '@quittance/projections'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { ProcessFailure } from '../../services/process-failure.ts'
import type { Services } from '../../services/services.ts'

/** What reporters may touch. */
export type ReporterServices = Pick<Services, 'store' | 'readModels' | 'settlementOf' | 'networks' | 'vault'>

/**
 * Reports the end of an intent to its owner. A repeated report, as after a crash, must write nothing twice. `at` is the
 * close time of the newest ingested ledger. False if the owner cannot take the report yet: the end stays on the to-do list.
 */
export type Reporter = (
  services: ReporterServices,
  scope: Scope,
  intent: IntentDetails,
  end: IntentEnd,
  at: LedgerHead['closedAt'],
) => TE.TaskEither<ProcessFailure, boolean>
