import type { AcceptedThrough, Environment, LedgerSequence, LogAcceptance, Text } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { deploymentTime } from '../kernel/clock.ts'
import type { ExecuteFailure } from '../kernel/execute.ts'
import type { LogStanding } from '../services/log-standing.ts'
import type { Services } from '../services/services.ts'

/** Ledgers are still to be ingested, which may hold what the log has forgotten. */
export type LedgersNotIngested = {
  readonly _tag: 'LedgersNotIngested'
  readonly environment: Environment
  readonly ingestedTo: LedgerSequence
  /** Null: no node responds. */
  readonly newest: LedgerSequence | null
}

/** Why the loss of events cannot be accepted. */
export type AcceptLogFailure = ExecuteFailure | LedgersNotIngested

/** `isForced`: even before all ledgers are ingested. */
export type AcceptLogRequest = { readonly by: Text; readonly reason: Text; readonly isForced: boolean }

/** Whether the log went back, and an operator's acceptance of that. */
export interface LogHistories {
  readonly standing: () => LogStanding
  /** Ends the gate in all processes. Null: the log is sound, and nothing was recorded. */
  readonly accept: (request: AcceptLogRequest) => TE.TaskEither<AcceptLogFailure, LogAcceptance | null>
}

type LogServices = Pick<Services, 'logStanding' | 'networks' | 'cursors' | 'clock'>

export const logHistories = (services: LogServices): LogHistories => ({
  standing: services.logStanding.now,
  accept: (request) => () => accept(services, request),
})

const accept = async (
  services: LogServices,
  { by, reason, isForced }: AcceptLogRequest,
): Promise<E.Either<AcceptLogFailure, LogAcceptance | null>> => {
  const { logStanding, clock } = services
  const checked = await logStanding.check()
  if (E.isLeft(checked)) return checked
  if (checked.right._tag === 'Sound') return E.right(null)
  const testnet = await ingestedThrough(services, 'testnet', isForced)
  if (E.isLeft(testnet)) return testnet
  const mainnet = await ingestedThrough(services, 'mainnet', isForced)
  if (E.isLeft(mainnet)) return mainnet
  const through: AcceptedThrough = { testnet: testnet.right, mainnet: mainnet.right }
  const accepted = await logStanding.accept({ by, reason, acceptedAt: deploymentTime(clock), through, isForced })
  if (E.isLeft(accepted)) return accepted
  const again = await logStanding.check()
  return E.isLeft(again) ? again : E.right(accepted.right.acceptances.at(-1) ?? null)
}

/** A running service ingests a ledger within seconds of its close, in which it sends nothing. */
const mostBehind = 2

/** The newest ledger of a network, if the ledgers up to it are ingested. Null: there is nothing to ingest. */
const ingestedThrough = async (
  { networks, cursors }: LogServices,
  environment: Environment,
  isForced: boolean,
): Promise<E.Either<AcceptLogFailure, LedgerSequence | null>> => {
  const network = networks[environment]
  if (network === null) return E.right(null)
  const cursor = await cursors.of(environment).load()()
  if (E.isLeft(cursor)) return cursor
  if (cursor.right === null) return E.right(null)
  const { sequence: ingestedTo } = cursor.right
  const latest = await network.gateway.latestLedger()()
  const newest = E.isRight(latest) ? latest.right.sequence : null
  if (isForced || (newest !== null && newest - ingestedTo <= mostBehind)) return E.right(newest ?? ingestedTo)
  return E.left({ _tag: 'LedgersNotIngested', environment, ingestedTo, newest })
}
