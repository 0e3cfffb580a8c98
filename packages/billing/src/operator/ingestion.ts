import type { Environment } from '@quittance/domain'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type CompareFailure, compare, type Reconciled } from '../books/reconciliation/ingestion-standing.ts'
import {
  type ReconcileFailure,
  type ReconcileRequest,
  type Reconciliation,
  reconcile,
} from '../books/reconciliation/reconcile.ts'
import { resume } from './resume-ingestion.ts'
import type { OperatorServices } from './services.ts'

/** Checks and resumes the ingestion of a ledger. */
export interface Following {
  readonly compare: (environment: Environment) => TE.TaskEither<CompareFailure, Reconciled>
  readonly resume: ReturnType<typeof resume>
  readonly reconcile: (
    environment: Environment,
    request: ReconcileRequest,
  ) => TE.TaskEither<ReconcileFailure, Reconciliation>
}

export const following = (services: OperatorServices): Following => ({
  compare: (environment) => () => compare(services, environment),
  resume: resume(services),
  reconcile: (environment, request) => () => reconcile(services, environment, request),
})
