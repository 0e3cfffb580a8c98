import { type Environment, LedgerFollowing, type LedgerSequence, type UncountedTransaction } from '@quittance/domain'
import type { Cursor, LedgerHead, LedgerUnreachable } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type StoreUnavailable, stateOf } from '../kernel/load.ts'
import { type Network, type NetworkNotConfigured, networkOf, type Services } from '../services/services.ts'
import { type Compared, compareBalances } from './compare.ts'

/** Nothing was followed yet: there is nothing to go on from. */
type FollowingNotBegun = { readonly _tag: 'FollowingNotBegun'; readonly environment: Environment }

export type CompareFailure = LedgerUnreachable | StoreUnavailable | NetworkNotConfigured | FollowingNotBegun

/** How far the ledger was ingested and has closed, how the books compare, and what was left to a person. */
export type Reconciled = Compared & {
  readonly walkedTo: LedgerSequence
  readonly latest: LedgerSequence
  readonly uncounted: ReadonlyArray<UncountedTransaction>
}

/** Where following stands, and the newest ledger of its network. */
export type Standing = { readonly network: Network; readonly cursor: Cursor; readonly latest: LedgerHead }

export const standingOf =
  (services: Services, environment: Environment): TE.TaskEither<CompareFailure, Standing> =>
  async () => {
    const network = networkOf(services, environment)
    if (E.isLeft(network)) return network
    const cursor = await services.cursors.of(environment).load()()
    if (E.isLeft(cursor)) return cursor
    if (cursor.right === null) return E.left({ _tag: 'FollowingNotBegun', environment })
    const latest = await network.right.gateway.latestLedger()()
    if (E.isLeft(latest)) return latest
    return E.right({ network: network.right, cursor: cursor.right, latest: latest.right })
  }

/** A comparison, with where following stands after it. */
export const reconciled =
  (services: Services, environment: Environment, { latest: { sequence: latest } }: Standing) =>
  (books: Compared): TE.TaskEither<CompareFailure, Reconciled> =>
  async () => {
    const cursor = await services.cursors.of(environment).load()()
    if (E.isLeft(cursor)) return cursor
    const known = await stateOf(services.store)(LedgerFollowing, environment)
    if (E.isLeft(known)) return known
    const { uncounted } = known.right.state
    return E.right({ ...books, walkedTo: cursor.right?.sequence ?? latest, latest, uncounted })
  }

/** Compares the books with the balances of all watched accounts. */
export const compare =
  (services: Services, environment: Environment): TE.TaskEither<CompareFailure, Reconciled> =>
  async () => {
    const stands = await standingOf(services, environment)()
    if (E.isLeft(stands)) return stands
    const { network, latest } = stands.right
    const books = await compareBalances(services, network)(environment, latest.sequence)()
    return E.isLeft(books) ? books : reconciled(services, environment, stands.right)(books.right)()
  }
