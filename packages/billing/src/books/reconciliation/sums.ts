import type { AccountId, LedgerSequence } from '@quittance/domain'
import type { Balance, Halted, Holding, LedgerGateway, LedgerUnreachable, Movement } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { type BookLine, native } from '../../features/book-lines/book-lines.ts'
import { readRange } from '../../services/read-range.ts'
import type { Opening } from './opening.ts'

/** An account's balance after a ledger, by books and ledger, in stroops; `difference` is the surplus of the ledger. */
export type AccountSum = Holding & { readonly books: bigint; readonly ledger: bigint; readonly difference: bigint }

/** A merchant's account. Its set-up ended with ledger `setUpThrough`, after which it held its opening balances. */
export type SetUpAccount = { readonly account: AccountId; readonly setUpThrough: number; readonly opening: Opening }

type Change = Pick<Movement, 'account' | 'assetId' | 'delta' | 'ledger'>

/** Balances of an earlier ledger are computed only up to this distance. */
const mostLedgersLater = 1_000

export const holdingKey = ({ account, assetId }: Holding): string => `${account} ${assetId}`

export const totals = (changes: Iterable<Omit<Change, 'ledger'>>): ReadonlyMap<string, bigint> => {
  const sums = new Map<string, bigint>()
  for (const change of changes) sums.set(holdingKey(change), (sums.get(holdingKey(change)) ?? 0n) + change.delta)
  return sums
}

/** Each asset that an account holds or has held, by books or ledger; the native asset in any case. */
export const holdingsOf = (
  accounts: ReadonlyArray<AccountId>,
  changes: ReadonlyArray<Holding>,
): ReadonlyArray<Holding> => {
  const known = new Set(accounts)
  const natives = accounts.map((account) => ({ account, assetId: native }))
  const held = [...natives, ...changes.filter(({ account }) => known.has(account))]
  return [
    ...new Map(held.map(({ account, assetId }) => [holdingKey({ account, assetId }), { account, assetId }])).values(),
  ]
}

/** The balances after a ledger; null if the ledger is too old. */
export type Balances = ReadonlyMap<string, bigint> | null

/** Subtracts the movements after ledger `to` from the present balances. */
export const heldAfter = async (
  gateway: LedgerGateway,
  holdings: ReadonlyArray<Holding>,
  to: LedgerSequence,
  latest: LedgerSequence,
): Promise<E.Either<Halted | LedgerUnreachable, Balances>> => {
  if (latest - to > mostLedgersLater) return E.right(null)
  const found = await gateway.balances(holdings)()
  if (E.isLeft(found)) return found
  const asOf = new Map(found.right.map((balance) => [holdingKey(balance), balance.asOf]))
  const last = found.right.reduce<LedgerSequence>(
    (newest, balance) => (balance.asOf > newest ? balance.asOf : newest),
    to,
  )
  const later: Array<Change> = []
  const watched = new Set(holdings.map(({ account }) => account))
  const note = (movements: ReadonlyArray<Movement>): void => {
    for (const each of movements)
      if (each.ledger > to && each.ledger <= (asOf.get(holdingKey(each)) ?? 0)) later.push(each)
  }
  const read = last === to ? E.right(undefined) : await readRange(gateway, watched, { from: to, to: last }, note)
  if (E.isLeft(read)) return read
  const since = totals(later)
  const heldThen = ({ held, ...holding }: Balance): bigint => (held ?? 0n) - (since.get(holdingKey(holding)) ?? 0n)
  return E.right(new Map(found.right.map((balance) => [holdingKey(balance), heldThen(balance)])))
}

/**
 * Compares opening balances and movements with closing balances, for each account and asset. The ledger's side is the held
 * balance, if known; else the books before the range plus the movements of the range. Without a known opening balance, only
 * the movements can be compared.
 */
export const sumsOf = (
  accounts: ReadonlyArray<SetUpAccount>,
  holdings: ReadonlyArray<Holding>,
  lines: ReadonlyArray<BookLine>,
  movements: ReadonlyArray<Movement>,
  held: Balances,
  from: LedgerSequence,
): ReadonlyArray<AccountSum> => {
  const setUp = new Map(accounts.map(({ account, setUpThrough }) => [account, setUpThrough]))
  const openings = new Map(accounts.map(({ account, opening }) => [account, opening]))
  const booked = totals(lines)
  const before = totals(lines.filter(({ ledger }) => ledger < from))
  const moved = totals(movements.filter(({ account, ledger }) => ledger > (setUp.get(account) ?? 0)))
  return holdings.map((holding) => {
    const { account, assetId } = holding
    const key = holdingKey(holding)
    const opening = openings.get(account)?.(assetId) ?? null
    const first = opening ?? 0n
    const books = first + (booked.get(key) ?? 0n)
    const ledger =
      (opening === null ? null : held?.get(key)) ?? first + (before.get(key) ?? 0n) + (moved.get(key) ?? 0n)
    return { account, assetId, books, ledger, difference: ledger - books }
  })
}
