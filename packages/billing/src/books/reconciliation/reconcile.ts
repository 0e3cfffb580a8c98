import type { Environment, LedgerSequence } from '@quittance/domain'
import type { Halted, Movement } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { accountsOf, type BookLine, bookLines } from '../../features/book-lines/book-lines.ts'
import { type LeftOver, leftOverKey } from '../../features/book-lines/left-over.ts'
import { type NameCounts, nameCounter } from '../../features/book-lines/name-counter.ts'
import { filterInTurn } from '../../kernel/checks-in-turn.ts'
import { ownersIn } from '../../services/owners.ts'
import { readRange } from '../../services/read-range.ts'
import type { BooksServices } from '../services.ts'
import { bookedFacts } from './booked-facts.ts'
import { explained } from './explain-ledger.ts'
import { firstLedger } from './first-ledger.ts'
import { type CompareFailure, standingOf } from './ingestion-standing.ts'
import { openingOf } from './opening.ts'
import { type AccountSum, heldAfter, holdingsOf, sumsOf } from './sums.ts'

/** Null means: from the first ledger in which an account exists, to the last ingested one, of all merchants. */
export type ReconcileRequest = {
  readonly from: LedgerSequence | null
  readonly to: LedgerSequence | null
  readonly merchantId: string | null
}

/** Why the books cannot be proven against the ledger. */
export type ReconcileFailure =
  | CompareFailure
  | Halted
  /** The books do not go as far as the ledger asked for. */
  | { readonly _tag: 'LedgerNotWalked'; readonly walkedTo: LedgerSequence }
  | { readonly _tag: 'RangeEmpty'; readonly from: LedgerSequence; readonly to: LedgerSequence }
  | { readonly _tag: 'MerchantNotFound' }

/**
 * The comparison of ledgers and books. `unexplained`: changes that nothing of ours accounts for, each with its exception or
 * null. `missing`: lines of the books that the ledgers do not hold. `isHeld`: the sums are compared with the balances on the
 * ledger, not only with the movements.
 */
export type Reconciliation = {
  readonly from: LedgerSequence
  readonly to: LedgerSequence
  readonly movements: number
  readonly named: NameCounts
  readonly unexplained: ReadonlyArray<LeftOver & { readonly exception: string | null }>
  readonly missing: ReadonlyArray<BookLine>
  readonly accounts: ReadonlyArray<AccountSum>
  readonly isHeld: boolean
  readonly isOk: boolean
}

/**
 * Proves the books against the ledger afresh: reads the range from the nodes again, names each movement by what is recorded,
 * and adds up by account and asset. It trusts nothing that a worker has found and writes nothing, so it can run beside one.
 * Costs as much as the ledgers and the merchants' books together. `onMovements` hears what the ledgers hold.
 */
export const reconcile = async (
  services: BooksServices,
  environment: Environment,
  request: ReconcileRequest,
  onMovements: (movements: ReadonlyArray<Movement>) => void = () => undefined,
): Promise<E.Either<ReconcileFailure, Reconciliation>> => {
  const standing = await standingOf(services, environment)
  if (E.isLeft(standing)) return standing
  const { network, cursor, latest } = standing.right
  const to = request.to ?? cursor.sequence
  if (to > cursor.sequence) return E.left({ _tag: 'LedgerNotWalked', walkedTo: cursor.sequence })

  const caught = await services.caughtUp.withLog()
  if (E.isLeft(caught)) return caught
  const merchants = await filterInTurn(
    await services.readModels.merchants.all(),
    async ({ id }) => id === (request.merchantId ?? id) && !(await services.left.has(id)),
  )
  if (merchants.length === 0) return E.left({ _tag: 'MerchantNotFound' })
  const from = request.from ?? (await firstLedger(services, environment, merchants)) ?? to
  if (from > to) return E.left({ _tag: 'RangeEmpty', from, to })
  const ownerOf = ownersIn(services, environment)
  const accounts = (
    await Promise.all(
      merchants
        .flatMap((merchant) => accountsOf(merchant, environment))
        .map(async (account) => ({
          account,
          setUpThrough: (await ownerOf(account))?.setUpThrough ?? 0,
          opening: await openingOf(services.readModels, network, environment, account),
        })),
    )
  ).filter(({ setUpThrough }) => setUpThrough <= to)
  const watched = new Set(accounts.map(({ account }) => account))
  const lines: Array<BookLine> = []
  const linesOf = await bookLines(services, environment)
  for (const merchant of merchants) {
    const own = await linesOf(merchant)
    if (E.isLeft(own)) return own
    lines.push(...own.right.filter(({ account, ledger }) => watched.has(account) && ledger <= to))
  }

  const movements: Array<Movement> = []
  const read = await readRange(network.gateway, watched, { from, to }, (each) => {
    movements.push(...each)
    onMovements(each)
  })
  if (E.isLeft(read)) return read
  const holdings = holdingsOf([...watched], [...lines, ...movements])
  const held = await heldAfter(network.gateway, holdings, to, latest.sequence)
  if (E.isLeft(held)) return held

  const booked = bookedFacts(services, lines, environment, ownerOf)
  const { named, leftOver } = await explained(booked.facts, movements)
  const accountedFor = leftOver.map(({ change }) => ({ change, line: booked.leftOver(change) }))
  const own = new Set(accountedFor.flatMap(({ change, line }) => (line?.tag === 'own' ? [leftOverKey(change)] : [])))
  const names = nameCounter()
  names.count(named((key) => (own.has(key) ? 'own' : 'unexplained')))
  const unexplained = accountedFor.flatMap(({ change, line }) =>
    line?.tag === 'own' ? [] : [{ ...change, exception: line?.id ?? null }],
  )
  const missing = booked.unmet().filter(({ ledger }) => ledger >= from)
  const sums = sumsOf(accounts, holdings, lines, movements, held.right, from)
  const isExplained = unexplained.every(({ exception }) => exception !== null)
  return E.right({
    from,
    to,
    movements: movements.length,
    named: names.counts(),
    unexplained,
    missing,
    accounts: sums,
    isHeld: held.right !== null,
    isOk: isExplained && missing.length === 0 && sums.every(({ difference }) => difference === 0n),
  })
}
