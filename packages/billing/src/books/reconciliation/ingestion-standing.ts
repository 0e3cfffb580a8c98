import {
  type Environment,
  LedgerIngestion,
  type LedgerIngestionState,
  type LedgerSequence,
  type UncountedTransaction,
} from '@quittance/domain'
import type { Cursor, LedgerHead, LedgerUnreachable } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { type StoreUnavailable, stateOf } from '../../kernel/load.ts'
import { type Network, type NetworkNotConfigured, networkOf, type Services } from '../../services/services.ts'
import type { BooksServices } from '../services.ts'
import { type Compared, compareBalances } from './compare.ts'

/** No ledger was ingested yet. */
type FollowingNotBegun = { readonly _tag: 'FollowingNotBegun'; readonly environment: Environment }

export type CompareFailure = LedgerUnreachable | StoreUnavailable | NetworkNotConfigured | FollowingNotBegun

/**
 * How the books compare, up to which ledger they go, the transactions that were left to an operator, and the ledgers that were
 * passed over, or of which transactions were, because they could not be decoded.
 */
export type Reconciled = Compared & {
  readonly ingestedTo: LedgerSequence
  readonly latest: LedgerSequence
  readonly uncounted: ReadonlyArray<UncountedTransaction>
  readonly passedOver: LedgerIngestionState['passedOver']
}

/** The cursor of a network's ingestion, and the network's newest ledger. */
export type IngestionStanding = { readonly network: Network; readonly cursor: Cursor; readonly latest: LedgerHead }

export const standingOf = async (
  services: Pick<Services, 'networks' | 'cursors'>,
  environment: Environment,
): Promise<E.Either<CompareFailure, IngestionStanding>> => {
  const network = networkOf(services, environment)
  if (E.isLeft(network)) return network
  const cursor = await services.cursors.of(environment).load()()
  if (E.isLeft(cursor)) return cursor
  if (cursor.right === null) return E.left({ _tag: 'FollowingNotBegun', environment })
  const latest = await network.right.gateway.latestLedger()()
  if (E.isLeft(latest)) return latest
  return E.right({ network: network.right, cursor: cursor.right, latest: latest.right })
}

/** Adds to a comparison where the ingestion stands after it. */
export const reconciled = async (
  services: Pick<Services, 'store' | 'cursors'>,
  environment: Environment,
  latest: LedgerSequence,
  books: Compared,
): Promise<E.Either<CompareFailure, Reconciled>> => {
  const cursor = await services.cursors.of(environment).load()()
  if (E.isLeft(cursor)) return cursor
  const ingestion = await stateOf(services.store)(LedgerIngestion, environment)
  if (E.isLeft(ingestion)) return ingestion
  const { uncounted, passedOver } = ingestion.right.state
  return E.right({ ...books, ingestedTo: cursor.right?.sequence ?? latest, latest, uncounted, passedOver })
}

/** Compares the books with the balances of all watched accounts. */
export const compare = async (
  services: BooksServices,
  environment: Environment,
): Promise<E.Either<CompareFailure, Reconciled>> => {
  const standing = await standingOf(services, environment)
  if (E.isLeft(standing)) return standing
  const { network, latest } = standing.right
  const books = await compareBalances(services, network, environment, latest.sequence)
  return E.isLeft(books) ? books : reconciled(services, environment, latest.sequence, books.right)
}
