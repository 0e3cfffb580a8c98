import type { SignedTransaction } from './ledger/envelope.ts'
import { compareBids, type Kind } from './ledger/fee-bid.ts'
import { bidOf, feeToOutbid, kindOf, operationCount } from './ledger/fees.ts'
import type { LedgerRoom } from './ledger/ledger-room.ts'
import { hexOf } from './network.ts'
import type { Store } from './store/index.ts'

/** The queue holds two ledgers' worth of transactions. Source: stellar-core, `TRANSACTION_QUEUE_SIZE_MULTIPLIER`. */
const ledgersQueued = 2

/** The queue's answer: admitted, possibly evicting others; outbid (`fee` would suffice, in stroops); or no room. */
export type Admission =
  | { readonly _tag: 'Admitted'; readonly evicted: ReadonlyArray<string> }
  | { readonly _tag: 'Outbid'; readonly fee: bigint }
  | { readonly _tag: 'NoRoom' }

const sizeOf = (kind: Kind, signed: SignedTransaction): number => (kind === 'classic' ? operationCount(signed) : 1)

/**
 * Decides whether a transaction fits into the queue of its kind and which lower bids it evicts, lowest first.
 * `replaced` is the queued transaction of the same account. After an eviction, all transactions until the next ledger
 * must outbid the evicted one, even where they would fit.
 * Source: stellar-core, `TxQueueLimiter`, `SurgePricingPriorityQueue`.
 */
export const admission = (
  { queue, bans }: Store,
  room: LedgerRoom,
  signed: SignedTransaction,
  replaced: SignedTransaction | undefined,
): Admission => {
  const kind = kindOf(signed)
  const bid = bidOf(signed)
  const size = sizeOf(kind, signed)
  const limit = ledgersQueued * room[kind]
  const left = bans.evicted(kind)
  if (left !== undefined && compareBids(bid, left) <= 0) return { _tag: 'Outbid', fee: feeToOutbid(signed, left) }
  const added = Math.max(0, size - (replaced === undefined ? 0 : sizeOf(kind, replaced)))
  if (added > limit) return { _tag: 'NoRoom' }
  let missing = queue.taken(kind) + added - limit
  if (missing <= 0) return { _tag: 'Admitted', evicted: [] }
  const evicted: string[] = []
  const source = hexOf(signed.source.ed25519.value)
  for (const lowest of [...queue.bids(kind)].sort(compareBids)) {
    if (compareBids(lowest, bid) >= 0) return { _tag: 'Outbid', fee: feeToOutbid(signed, lowest) }
    if (lowest.source === source) return { _tag: 'NoRoom' }
    evicted.push(lowest.hash)
    missing -= kind === 'classic' ? lowest.operations : 1
    if (missing <= 0) return { _tag: 'Admitted', evicted }
  }
  return { _tag: 'NoRoom' }
}
