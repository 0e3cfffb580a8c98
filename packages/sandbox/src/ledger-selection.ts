import * as E from 'fp-ts/lib/Either.js'
import { checkTransaction } from './ledger/check-transaction.ts'
import { contractRoom } from './ledger/contract-room.ts'
import type { ClosingLedger } from './ledger/draft.ts'
import { readStoredEnvelope, type SignedTransaction } from './ledger/envelope.ts'
import { compareBids, type Kind, perOperation } from './ledger/fee-bid.ts'
import { bidOf, feeSourceOf, kindOf, offeredFee, operationCount } from './ledger/fees.ts'
import type { LedgerRoom } from './ledger/ledger-room.ts'
import { baseFee, hexOf, type Network } from './network.ts'
import { banLedgers, canPay } from './queue.ts'
import type { Store } from './store/index.ts'

/** The transactions for a ledger, and the price of an operation of each kind, in stroops. */
export type Selection = {
  readonly taken: ReadonlyArray<SignedTransaction>
  readonly prices: Readonly<Record<Kind, bigint>>
}

const highestBidFirst = (one: SignedTransaction, other: SignedTransaction): number =>
  compareBids(bidOf(other), bidOf(one))

const lowestOf = (bids: ReadonlyArray<bigint>): bigint | undefined =>
  bids.reduce<bigint | undefined>((least, bid) => (least === undefined || bid < least ? bid : least), undefined)

/**
 * Picks transactions from the queue: highest bids first, earliest first among equals, as many as fit; a transaction
 * that does not fit leaves its place to smaller ones. Where all fit, they pay the minimum fee; otherwise each kind pays
 * its lowest selected bid. Drops and bans transactions that have become invalid, as the network does.
 */
export const selectForLedger = (network: Network, store: Store, ledger: ClosingLedger, room: LedgerRoom): Selection => {
  const moment = { ledger, earliest: ledger.closeTime, isFeePaid: false }
  const least = ledger.baseFee ?? baseFee
  const taken: SignedTransaction[] = []
  const leftOut = new Set<Kind>()
  const promised = new Map<string, bigint>()
  const isWithinLimits = contractRoom(room.contract)
  let operationsLeft = room.classic
  const waiting = store.queue.waiting(ledger.sequence).map((envelope) => readStoredEnvelope(envelope, network))
  for (const signed of waiting.sort(highestBidFirst)) {
    const kind = kindOf(signed)
    const operations = operationCount(signed)
    if (kind === 'classic' && operations > operationsLeft) {
      leftOut.add(kind)
      continue
    }
    const payer = hexOf(feeSourceOf(signed).ed25519.value)
    const fees = promised.get(payer) ?? 0n
    const checked = checkTransaction(signed, store.entries, moment)
    // It stays queued until fees fall.
    if (E.isLeft(checked) && checked.left.result.type === 'txInsufficientFee') continue
    if (E.isLeft(checked) || !canPay(store.entries, signed, fees)) {
      store.queue.drop(hexOf(signed.hash))
      store.bans.ban(hexOf(signed.hash), ledger.sequence - 1 + banLedgers)
      continue
    }
    if (!isWithinLimits(signed)) {
      leftOut.add(kind)
      continue
    }
    taken.push(signed)
    promised.set(payer, fees + offeredFee(signed))
    if (kind === 'classic') operationsLeft -= operations
  }
  const priceOf = (kind: Kind): bigint => {
    if (!leftOut.has(kind)) return least
    const lowest = lowestOf(taken.filter((each) => kindOf(each) === kind).map((each) => perOperation(bidOf(each))))
    return lowest === undefined || lowest < least ? least : lowest
  }
  return { taken, prices: { classic: priceOf('classic'), contract: priceOf('contract') } }
}
