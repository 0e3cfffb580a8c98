import { type AccountId, type AssetId, LedgerSequence } from '@quittance/domain'
import type { AccountView, LedgerGateway, LedgerUnreachable } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { decodeOrThrow } from '../kernel/decode.ts'
import { readRange } from './read-range.ts'

/** How much of an asset came in ledgers that are not ingested yet. */
export type ArrivedBalance = (assetId: AssetId) => bigint

/**
 * Finds what came to an account after the ledger `ingested`, up to its view: only ingestion tells whose that is. Whatever
 * left the account meanwhile is not set off against it.
 */
export type JustArrived = (
  gateway: LedgerGateway,
  ingested: number,
  account: AccountId,
  view: AccountView | null,
) => Promise<E.Either<LedgerUnreachable, ArrivedBalance>>

/** Beyond that, ingestion is no step behind but has much to catch up with. */
const mostLedgers = 60

type Arrival = { readonly ledger: number; readonly assetId: AssetId; readonly amount: bigint }
/** What came to all accounts in the ledgers after `after`, up to `through`. */
type Read = {
  readonly after: number
  readonly through: number
  readonly of: ReadonlyMap<string, ReadonlyArray<Arrival>>
}

const everyone = { has: () => true }

/** Reads each ledger once for all accounts, and forgets it once it is ingested. */
export const openJustArrived = (): JustArrived => {
  const reads = new WeakMap<LedgerGateway, Read>()

  const readThrough = async (
    gateway: LedgerGateway,
    ingested: number,
    through: number,
  ): Promise<E.Either<LedgerUnreachable, Read>> => {
    const before = keptOf(reads.get(gateway), ingested)
    if (before.through >= through) return E.right(before)
    const of = new Map(before.of)
    const range = { from: sequence(before.through + 1), to: sequence(through) }
    const read = await readRange(gateway, everyone, range, (movements) => {
      for (const { account, ledger, assetId, delta: amount } of movements)
        if (amount > 0n) of.set(account, [...(of.get(account) ?? []), { ledger, assetId, amount }])
    })
    if (E.isLeft(read)) return E.left({ _tag: 'LedgerUnreachable', cause: `what just arrived: ${read.left._tag}` })
    const known = { after: ingested, through, of }
    reads.set(gateway, known)
    return E.right(known)
  }

  return async (gateway, ingested, account, view) => {
    const through = view?.changedIn ?? view?.asOf ?? ingested
    if (through <= ingested) return E.right(() => 0n)
    if (through > ingested + mostLedgers)
      return E.left({
        _tag: 'LedgerUnreachable',
        cause: `${account} has changed in ledger ${through}, long after ours`,
      })
    const read = await readThrough(gateway, ingested, through)
    if (E.isLeft(read)) return read
    const arrivals = (read.right.of.get(account) ?? []).filter(({ ledger }) => ledger > ingested)
    return E.right((assetId) => arrivals.reduce((sum, each) => sum + (each.assetId === assetId ? each.amount : 0n), 0n))
  }
}

const sequence = (number: number): LedgerSequence => decodeOrThrow(LedgerSequence, number)

/** Nothing is kept of a network that began anew, or where the ledgers in between were never read. */
const keptOf = (read: Read | undefined, ingested: number): Read => {
  if (read === undefined || read.after > ingested || read.through < ingested)
    return { after: ingested, through: ingested, of: new Map() }
  const of = new Map<string, ReadonlyArray<Arrival>>()
  for (const [account, arrivals] of read.of) {
    const left = arrivals.filter(({ ledger }) => ledger > ingested)
    if (left.length > 0) of.set(account, left)
  }
  return { after: ingested, through: read.through, of }
}
