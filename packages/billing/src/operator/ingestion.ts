import type { Environment } from '@quittance/domain'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type CompareFailure, compare, type Reconciled } from '../books/reconciliation/ingestion-standing.ts'
import { resume } from './resume-ingestion.ts'
import type { OperatorServices } from './services.ts'

/** Checks and resumes the ingestion of a ledger. */
export interface Ingestion {
  readonly compare: (environment: Environment) => TE.TaskEither<CompareFailure, Reconciled>
  readonly resume: ReturnType<typeof resume>
}

export const ingestion = (services: OperatorServices): Ingestion => ({
  compare: (environment) => () => compare(services, environment),
  resume: resume(services),
})
