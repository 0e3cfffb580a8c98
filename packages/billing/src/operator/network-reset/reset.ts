import {
  type Environment,
  type LedgerIngestionRejection,
  type NetworkReset,
  presentEpoch,
  type ResetDecision,
  type Text,
} from '@quittance/domain'
import type { LedgerHead } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { type CompareFailure, standingOf } from '../../books/reconciliation/ingestion-standing.ts'
import type { StoreUnavailable } from '../../kernel/load.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import type { Network, Services } from '../../services/services.ts'
import { type CloseBooksFailure, closeAllBooks } from './close-books.ts'
import { endCampaigns, endExceptions, endPayouts, endRefunds, forgetWaiting } from './end-money.ts'
import { endOutgoing } from './end-outgoing.ts'
import { endAwaiting, endPayments, endSessions, endSubscriptions } from './end-sales.ts'
import type { Ending, EndSome } from './ending.ts'
import { ensureUnderWay, fenced } from './fence.ts'

/** `isForced`: even if nothing shows that the network was reset. */
export type ResetRequest = { readonly by: Text; readonly reason: Text; readonly isForced: boolean }

export type ResetFailure =
  | CompareFailure
  | CloseBooksFailure
  | LedgerIngestionRejection
  /** Real money is on it, and nobody resets it. */
  | { readonly _tag: 'MainnetIsNeverReset' }
  /** Something lives again each time that it is ended: a process of the service goes on with it. */
  | { readonly _tag: 'ResetNotFinished'; readonly ended: number }

/** So often what lives is looked for at most: what ended in one pass may leave something for the next. */
const mostPasses = 10

/**
 * Ends everything that lived on the former ledger of a network, and starts new books on the present one. The log says at each
 * moment how far that is: after a crash, the same command goes on, and repeats nothing. A process that finds the reset
 * completed by another one stops, and answers with it.
 */
export const resetNetwork = async (
  services: Services,
  environment: Environment,
  { by, reason, isForced }: ResetRequest,
): Promise<E.Either<ResetFailure, NetworkReset>> => {
  if (environment === 'mainnet') return E.left({ _tag: 'MainnetIsNeverReset' })
  const seen = await services.epochs.of(environment)
  if (E.isLeft(seen)) return seen
  const epoch = presentEpoch(seen.right)
  const stands = await standingOf(services, environment)
  if (E.isLeft(stands)) return stands
  const { network, cursor, latest } = stands.right
  const { epochs, clock } = services
  const ended = { ledger: cursor.sequence, closedAt: cursor.closedAt }
  const at = clock.now(environment)
  const begun = await epochs.record(environment, { type: 'BeginReset', epoch, ended, by, reason, at, isForced })
  if (E.isLeft(begun)) return orCompleted(services, environment, epoch, begun)
  const decision = begun.right.resetUnderWay
  if (decision === null) throw new Error('a reset began and is not under way')
  const done = await carryOut(fenced({ services, environment, epoch: decision.epoch, at: decision.at }), decision, {
    network,
    latest,
  })
  return E.isRight(done) ? done : orCompleted(services, environment, epoch, done)
}

/** The reset that has ended an epoch, where another process has completed it; else the failure. */
const orCompleted = async (
  { epochs }: Services,
  environment: Environment,
  ended: number,
  failure: E.Left<ResetFailure>,
): Promise<E.Either<ResetFailure, NetworkReset>> => {
  const now = await epochs.of(environment)
  const completed = E.isRight(now) ? now.right.resets.find(({ epoch }) => epoch === ended) : undefined
  return completed === undefined ? failure : E.right(completed)
}

const carryOut = async (
  ending: Ending,
  decision: ResetDecision,
  { network, latest }: { readonly network: Network; readonly latest: LedgerHead },
): Promise<E.Either<ResetFailure, NetworkReset>> => {
  const { services, environment, epoch } = ending
  const done = await endAll(ending, decision)
  if (E.isLeft(done)) return done
  const begins = await moveCursor(ending, decision, latest)
  if (E.isLeft(begins)) return begins
  const closed = await closeAllBooks(ending, network)
  if (E.isLeft(closed)) return closed
  const completed = await services.epochs.record(environment, {
    type: 'CompleteReset',
    epoch,
    begins: { ledger: begins.right.sequence, closedAt: begins.right.closedAt },
    at: services.clock.now(environment),
  })
  return E.isLeft(completed) ? completed : lastOf(completed.right.resets)
}

const lastOf = (resets: ReadonlyArray<NetworkReset>): E.Either<never, NetworkReset> => {
  const last = resets.at(-1)
  if (last === undefined) throw new Error('a reset left no record')
  return E.right(last)
}

/** Sales end before what they were paid by, subscriptions before their charges. */
const endAll = async (ending: Ending, decision: ResetDecision): Promise<E.Either<ResetFailure, void>> => {
  const ingested = { sequence: decision.ended.ledger, closedAt: decision.at }
  const parts: ReadonlyArray<EndSome> = [
    endCampaigns(decision.by, decision.reason),
    endSessions,
    endAwaiting,
    endSubscriptions,
    endOutgoing(ingested),
    endPayments,
    endRefunds,
    endPayouts,
    endExceptions,
    forgetWaiting,
  ]
  let ended = 0
  for (let passes = 0; passes < mostPasses; passes++) {
    const pass = await onePass(ending, parts)
    if (E.isLeft(pass)) return pass
    ended = pass.right
    if (ended === 0) return E.right(undefined)
  }
  return E.left({ _tag: 'ResetNotFinished', ended })
}

const onePass = async (ending: Ending, parts: ReadonlyArray<EndSome>): Promise<E.Either<ProcessFailure, number>> => {
  let ended = 0
  for (const end of parts) {
    const caught = await ending.services.caughtUp.withLog()
    if (E.isLeft(caught)) return caught
    const some = await end(ending)
    if (E.isLeft(some)) return some
    ended += some.right
  }
  return E.right(ended)
}

/** Ingestion begins behind the newest ledger, before the first balance is read. A former try may have moved it already. */
const moveCursor = async (
  ending: Ending,
  decision: ResetDecision,
  latest: LedgerHead,
): Promise<E.Either<StoreUnavailable, LedgerHead>> => {
  const cursor = ending.services.cursors.of(ending.environment)
  for (;;) {
    const read = await cursor.load()()
    if (E.isLeft(read)) return read
    const known = read.right
    const underWay = await ensureUnderWay(ending)
    if (E.isLeft(underWay)) return underWay
    const isMoved = known !== null && known.hash === null && known.closedAt > decision.ended.closedAt
    if (isMoved) return E.right(known)
    const moved = await cursor.advance(known, { ...latest, hash: null })()
    if (E.isLeft(moved)) return moved
    if (moved.right) return E.right(latest)
  }
}
