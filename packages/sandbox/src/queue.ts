import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { checkTransaction, leastFee, resultOf } from './ledger/check-transaction.ts'
import type { ClosingLedger } from './ledger/draft.ts'
import { type FeeBump, readEnvelope, readStoredEnvelope, type SignedTransaction } from './ledger/envelope.ts'
import { hexOf, maxOperationsPerLedger, type Network } from './network.ts'
import type { MalformedEnvelope, Submission } from './sandbox-api.ts'
import type { Store } from './store/index.ts'

/** A node keeps what fits into the next four ledgers. */
const maxOperationsQueued = 4 * maxOperationsPerLedger

const refusal = (hash: Uint8Array, fee: bigint, result: xdr.TransactionResultResult): Submission => ({
  status: 'ERROR',
  hash: hexOf(hash),
  errorResult: resultOf(fee, result).toXdr('base64'),
})

const refuseFeeBump = ({ hash, fee }: FeeBump): Submission =>
  refusal(hash, fee, xdr.TransactionResultResult.txNotSupported())

const enqueue = (store: Store, signed: SignedTransaction, ledger: ClosingLedger, lastCloseTime: bigint): Submission => {
  const hash = hexOf(signed.hash)
  if (store.queue.has(hash)) return { status: 'DUPLICATE', hash }
  if (store.queue.hasFrom(signed)) return { status: 'TRY_AGAIN_LATER', hash }
  const isFull = store.queue.operations() + signed.transaction.operations.length > maxOperationsQueued
  if (isFull) return { status: 'TRY_AGAIN_LATER', hash }
  const moment = { ledger, earliest: lastCloseTime, isFeePaid: false }
  const checked = checkTransaction(signed, store.entries, moment)
  if (E.isLeft(checked)) return refusal(signed.hash, leastFee(signed.transaction), checked.left.result)
  store.queue.add(signed)
  return { status: 'PENDING', hash }
}

/** Checks a submission against the ledger it could be in at the earliest, and queues it. Belongs in a transaction. */
export const submitTo = (
  network: Network,
  store: Store,
  next: ClosingLedger,
  lastCloseTime: bigint,
  envelope: string,
): E.Either<MalformedEnvelope, Submission> =>
  pipe(
    readEnvelope(Buffer.from(envelope, 'base64'), network),
    E.map((read) =>
      'feeBump' in read ? refuseFeeBump(read.feeBump) : enqueue(store, read.signed, next, lastCloseTime),
    ),
  )

/**
 * What of the queue goes into a ledger: in the order of arrival as much as fits. What has become invalid while it
 * waited (another transaction of its account came first, its time is over) is dropped and leaves no trace, as on the
 * network.
 */
export const takeFromQueue = (
  network: Network,
  store: Store,
  ledger: ClosingLedger,
  room: number,
): ReadonlyArray<SignedTransaction> => {
  const moment = { ledger, earliest: ledger.closeTime, isFeePaid: false }
  const taken: SignedTransaction[] = []
  let left = room
  for (const envelope of store.queue.waiting()) {
    const signed = readStoredEnvelope(envelope, network)
    const { length } = signed.transaction.operations
    if (length > left) break
    if (E.isLeft(checkTransaction(signed, store.entries, moment))) {
      store.queue.drop(hexOf(signed.hash))
      continue
    }
    taken.push(signed)
    left -= length
  }
  return taken
}
