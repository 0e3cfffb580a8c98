import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { availableBalance, requireAccount } from './ledger/accounts.ts'
import { checkTransaction, resultOf } from './ledger/check-transaction.ts'
import type { ClosingLedger, LedgerView } from './ledger/draft.ts'
import { readEnvelope, readStoredEnvelope, type SignedTransaction } from './ledger/envelope.ts'
import type { Kind } from './ledger/fee-bid.ts'
import { bidOf, feeMissing, feeSourceOf, kindOf, leastFee, offeredFee } from './ledger/fees.ts'
import type { LedgerRoom } from './ledger/ledger-room.ts'
import { hexOf, type Network } from './network.ts'
import { admission } from './queue-room.ts'
import type { MalformedEnvelope, Submission } from './sandbox-api.ts'
import type { Store } from './store/index.ts'

/** The most ledgers a transaction may wait. Source: stellar-core, `TRANSACTION_QUEUE_TIMEOUT_LEDGERS`. */
const maxLedgersWaited = 4

/** How many ledgers a hash stays banned. Source: stellar-core, `TRANSACTION_QUEUE_BAN_LEDGERS`. */
export const banLedgers = 10

/** A fee bump replaces a queued transaction if it offers ten times as much per operation. */
const replacementTimes = 10n

const code = xdr.TransactionResultResult

const refusal = (hash: Uint8Array, fee: bigint, result: xdr.TransactionResultResult): Submission => ({
  status: 'ERROR',
  hash: hexOf(hash),
  errorResult: resultOf(fee, result).toXdr('base64'),
})

/** Why a transaction cannot replace the one that its account has queued. */
const replacementRefusal = (signed: SignedTransaction, waiting: SignedTransaction): Submission | undefined => {
  const hash = hexOf(signed.hash)
  if (hexOf(waiting.innerHash) === hash) return { status: 'DUPLICATE', hash }
  if (signed.transaction.seqNum < waiting.transaction.seqNum) return refusal(signed.hash, 0n, code.txBadSeq())
  const isSameNumber = signed.transaction.seqNum === waiting.transaction.seqNum
  if (signed.feeBump === undefined || !isSameNumber || kindOf(signed) !== kindOf(waiting))
    return { status: 'TRY_AGAIN_LATER', hash }
  const missing = feeMissing(signed, bidOf(waiting), replacementTimes)
  return missing === undefined ? undefined : refusal(signed.hash, missing, code.txInsufficientFee())
}

/** Whether the fee's payer can also afford the fees it has `promised` for other transactions, in stroops. */
export const canPay = (view: LedgerView, signed: SignedTransaction, promised: bigint): boolean =>
  availableBalance(requireAccount(view, feeSourceOf(signed))) >= promised + offeredFee(signed)

/** The earliest ledger that a submission may enter, and that ledger's capacity. */
export type SubmissionContext = {
  readonly next: ClosingLedger
  readonly lastCloseTime: bigint
  readonly room: LedgerRoom
}

/**
 * A recently applied hash counts as banned.
 * Source: stellar-core, `TransactionQueue::removeApplied`, which bans one ledger before the queue ages.
 */
const isBanned = ({ bans, transactions }: Store, hash: string, latestLedger: number): boolean => {
  const appliedIn = transactions.ledgerOf(hash)
  const isAppliedLately = appliedIn !== undefined && latestLedger < appliedIn + banLedgers - 1
  return isAppliedLately || bans.isBanned(hash, latestLedger)
}

const enqueue = (
  network: Network,
  store: Store,
  signed: SignedTransaction,
  { next: ledger, lastCloseTime, room }: SubmissionContext,
): Submission => {
  const { queue, bans } = store
  const hash = hexOf(signed.hash)
  const latest = ledger.sequence - 1
  if (isBanned(store, hash, latest)) return { status: 'TRY_AGAIN_LATER', hash }
  if (queue.has(hash)) return { status: 'DUPLICATE', hash }
  const envelope = queue.waitingFor(signed)
  const waiting = envelope === undefined ? undefined : readStoredEnvelope(envelope, network)
  const irreplaceable = waiting === undefined ? undefined : replacementRefusal(signed, waiting)
  if (irreplaceable !== undefined) return irreplaceable
  const admitted = admission(store, room, signed, waiting)
  if (admitted._tag !== 'Admitted') {
    bans.ban(hash, latest + banLedgers)
    return admitted._tag === 'NoRoom'
      ? { status: 'TRY_AGAIN_LATER', hash }
      : refusal(signed.hash, admitted.fee, code.txInsufficientFee())
  }
  const context = { ledger, earliest: lastCloseTime, isFeePaid: false }
  const checked = checkTransaction(signed, store.entries, context)
  if (E.isLeft(checked)) return refusal(signed.hash, checked.left.fee ?? leastFee(signed, ledger), checked.left.result)
  const others = queue.fees(signed).filter((each) => waiting === undefined || each.hash !== hexOf(waiting.hash))
  const promised = others.reduce((sum, { fee }) => sum + fee, 0n)
  if (!canPay(store.entries, signed, promised)) return refusal(signed.hash, 0n, code.txInsufficientBalance())
  // Replacing a transaction does not extend its wait.
  const since = waiting === undefined ? latest : (queue.waitingSince(hexOf(waiting.hash)) ?? latest)
  if (waiting !== undefined) queue.drop(hexOf(waiting.hash))
  for (const evicted of admitted.evicted) evict(store, evicted, kindOf(signed), latest)
  queue.add(signed, since)
  return { status: 'PENDING', hash }
}

const evict = ({ queue, bans }: Store, hash: string, kind: Kind, latestLedger: number): void => {
  const bid = queue.bids(kind).find((each) => each.hash === hash)
  if (bid !== undefined) bans.evict(kind, bid)
  queue.drop(hash)
  bans.ban(hash, latestLedger + banLedgers)
}

/** Drops and bans transactions that have waited too long. */
export const ageQueue = ({ queue, bans }: Store, closedLedger: number): void => {
  bans.forget(closedLedger)
  for (const hash of queue.waitingSinceLedger(closedLedger - maxLedgersWaited)) {
    queue.drop(hash)
    bans.ban(hash, closedLedger + banLedgers)
  }
}

/**
 * Checks a submission against the earliest ledger it could enter, and queues it. Must run inside a database
 * transaction.
 */
export const submitTo = (
  network: Network,
  store: Store,
  context: SubmissionContext,
  envelope: string,
): E.Either<MalformedEnvelope, Submission> => {
  const signed = readEnvelope(Buffer.from(envelope, 'base64'), network)
  return E.isLeft(signed) ? signed : E.right(enqueue(network, store, signed.right, context))
}
