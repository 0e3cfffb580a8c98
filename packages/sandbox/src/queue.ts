import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { availableBalance, requireAccount } from './ledger/accounts.ts'
import { checkTransaction, resultOf } from './ledger/check-transaction.ts'
import { contractRoom } from './ledger/contract-room.ts'
import type { ClosingLedger, LedgerView } from './ledger/draft.ts'
import { readEnvelope, readStoredEnvelope, type SignedTransaction } from './ledger/envelope.ts'
import { feeMissing, feeSourceOf, leastFee, offeredFee, offeredInclusion, operationCount } from './ledger/fees.ts'
import { hexOf, maxOperationsPerLedger, type Network } from './network.ts'
import type { MalformedEnvelope, Submission } from './sandbox-api.ts'
import type { Store } from './store/index.ts'

/** A node keeps what fits into the next four ledgers. */
const maxOperationsQueued = 4 * maxOperationsPerLedger

/** A transaction in the queue gives way to a fee bump that offers ten times as much for each operation. */
const replacementTimes = 10n

const code = xdr.TransactionResultResult

const refusal = (hash: Uint8Array, fee: bigint, result: xdr.TransactionResultResult): Submission => ({
  status: 'ERROR',
  hash: hexOf(hash),
  errorResult: resultOf(fee, result).toXdr('base64'),
})

/** Why a transaction cannot take the place of the one its account has in the queue. */
const replacementRefusal = (signed: SignedTransaction, waiting: SignedTransaction): Submission | undefined => {
  const hash = hexOf(signed.hash)
  if (hexOf(waiting.innerHash) === hash) return { status: 'DUPLICATE', hash }
  if (signed.feeBump === undefined || signed.transaction.seqNum !== waiting.transaction.seqNum)
    return { status: 'TRY_AGAIN_LATER', hash }
  const other = { fee: offeredInclusion(waiting), operations: operationCount(waiting) }
  const missing = feeMissing(signed, other, replacementTimes)
  return missing === undefined ? undefined : refusal(signed.hash, missing, code.txInsufficientFee())
}

/** Whether whoever pays can, besides what it has `promised` to pay for other transactions, in stroops. */
const canPay = (view: LedgerView, signed: SignedTransaction, promised: bigint): boolean =>
  availableBalance(requireAccount(view, feeSourceOf(signed))) >= promised + offeredFee(signed)

const enqueue = (
  network: Network,
  store: Store,
  signed: SignedTransaction,
  ledger: ClosingLedger,
  lastCloseTime: bigint,
): Submission => {
  const hash = hexOf(signed.hash)
  if (store.queue.has(hash)) return { status: 'DUPLICATE', hash }
  const envelope = store.queue.waitingFor(signed)
  const waiting = envelope === undefined ? undefined : readStoredEnvelope(envelope, network)
  const irreplaceable = waiting === undefined ? undefined : replacementRefusal(signed, waiting)
  if (irreplaceable !== undefined) return irreplaceable
  const replaced = waiting === undefined ? 0 : operationCount(waiting)
  if (store.queue.operations() - replaced + operationCount(signed) > maxOperationsQueued)
    return { status: 'TRY_AGAIN_LATER', hash }
  const moment = { ledger, earliest: lastCloseTime, isFeePaid: false }
  const checked = checkTransaction(signed, store.entries, moment)
  if (E.isLeft(checked)) return refusal(signed.hash, checked.left.fee ?? leastFee(signed, ledger), checked.left.result)
  const others = store.queue.fees(signed).filter((each) => waiting === undefined || each.hash !== hexOf(waiting.hash))
  const promised = others.reduce((sum, { fee }) => sum + fee, 0n)
  if (!canPay(store.entries, signed, promised)) return refusal(signed.hash, 0n, code.txInsufficientBalance())
  if (waiting !== undefined) store.queue.drop(hexOf(waiting.hash))
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
    E.map((signed) => enqueue(network, store, signed, next, lastCloseTime)),
  )

/**
 * What of the queue goes into a ledger: in the order of arrival as much as fits, of contract transactions no more than
 * a ledger's share. What has become invalid while it
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
  const promised = new Map<string, bigint>()
  const goesIn = contractRoom()
  let left = room
  for (const envelope of store.queue.waiting(ledger.sequence)) {
    const signed = readStoredEnvelope(envelope, network)
    const operations = operationCount(signed)
    if (operations > left) break
    const payer = hexOf(feeSourceOf(signed).ed25519.value)
    const fees = promised.get(payer) ?? 0n
    const checked = checkTransaction(signed, store.entries, moment)
    // It may yet come in, once fees have gone down.
    if (E.isLeft(checked) && checked.left.result.type === 'txInsufficientFee') continue
    if (E.isLeft(checked) || !canPay(store.entries, signed, fees)) {
      store.queue.drop(hexOf(signed.hash))
      continue
    }
    if (!goesIn(signed)) continue
    taken.push(signed)
    promised.set(payer, fees + offeredFee(signed))
    left -= operations
  }
  return taken
}
