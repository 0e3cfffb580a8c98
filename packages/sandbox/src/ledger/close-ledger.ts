import type { xdr } from '@stellar/stellar-sdk'
import { baseFee, hexOf, ledgersKept, type Network, sha256 } from '../network.ts'
import type { ClosedLedger } from '../sandbox-api.ts'
import type { Store } from '../store/index.ts'
import { type AppliedTransaction, applyTransaction, chargeFee, refunded } from './apply-transaction.ts'
import { closeMeta, headerIn, resultSet } from './close-meta.ts'
import { declaredBy } from './contract-transaction.ts'
import { type ClosingLedger, draftOn, type LedgerDraft } from './draft.ts'
import type { SignedTransaction } from './envelope.ts'
import { operationCount } from './fees.ts'
import { ledgerHeader } from './header.ts'
import { orderedSet } from './transaction-set.ts'

/** Charges all fees, then applies the transactions in order, then refunds the unused fees. */
const applyAll = (ordered: ReadonlyArray<SignedTransaction>, draft: LedgerDraft): ReadonlyArray<AppliedTransaction> => {
  const charged = ordered.map((signed) => ({ signed, ...chargeFee(signed, draft) }))
  const applied = charged.map(({ signed, fee, feeChanges }) => applyTransaction(signed, draft, fee, feeChanges))
  return applied.map((each) => refunded(each, draft))
}

const keepTransactions = (store: Store, ledger: number, applied: ReadonlyArray<AppliedTransaction>): void => {
  for (const [index, { signed, result, meta, refund, refundChanges, events }] of applied.entries()) {
    const hash = hexOf(signed.hash)
    const order = index + 1
    const declared = declaredBy(signed.transaction)
    const returned = refundChanges.length > 0 ? refund : 0n
    store.transactions.add({
      hash,
      innerHash: hexOf(signed.innerHash),
      ledger,
      order,
      succeeded: result.result.type === 'txSuccess' || result.result.type === 'txFeeBumpInnerSuccess',
      operations: operationCount(signed),
      feeCharged: Number(result.feeCharged),
      envelope: signed.envelope.toXdr(),
      result: result.toXdr(),
      meta: meta.toXdr(),
      ...(declared && { resourceFee: Number(declared.resourceFee - returned) }),
    })
    for (const [at, event] of events.entries())
      store.events.add({ ledger, order, index: at, hash, event: event.toXdr() })
  }
}

const sequencesOf = (included: ReadonlyArray<SignedTransaction>): ReadonlyMap<string, bigint> =>
  new Map(included.map(({ source, transaction }) => [hexOf(source.ed25519.value), transaction.seqNum]))

/** The previous ledger's hash and fee pool, on which the next header builds. */
const previousState = (store: Store): { readonly previousHash: Uint8Array; readonly feePool: bigint } => {
  const latest = store.ledgers.latest()
  if (latest === undefined) return { previousHash: new Uint8Array(32), feePool: 0n }
  const { hash, header } = headerIn(latest.meta)
  return { previousHash: hash.value, feePool: header.feePool }
}

/** A draft with earlier changes, and changes to make after the transactions. */
type CloseOptions = {
  readonly draft?: LedgerDraft
  readonly after?: (draft: LedgerDraft) => xdr.LedgerEntryChange[]
}

/** Closes a ledger with these transactions, which have been checked for it. Must run inside a database transaction. */
export const closeLedger = (
  network: Network,
  store: Store,
  ledger: ClosingLedger,
  included: ReadonlyArray<SignedTransaction>,
  { draft: given, after = () => [] }: CloseOptions = {},
): ClosedLedger => {
  const draft = given ?? draftOn(store.entries, { ...ledger, sequences: sequencesOf(included) })
  const { previousHash, feePool } = previousState(store)
  const least = ledger.baseFee ?? baseFee
  const ordered = orderedSet(previousHash, included, ledger.prices ?? { classic: least, contract: least })
  const applied = applyAll(ordered.applied, draft)
  const changedAfter = after(draft)
  const header = ledgerHeader(network, ledger, {
    previousHash,
    txSetHash: ordered.hash,
    resultHash: sha256(resultSet(applied).toXdr()),
    stateHash: store.entries.write(draft.touched(), draft.lastId()),
    feePool: applied.reduce((sum, { result }) => sum + result.feeCharged, feePool),
    lastId: draft.lastId(),
  })
  const { sequence } = ledger
  const closeTime = Number(ledger.closeTime)
  const hash = hexOf(header.hash.value)
  store.ledgers.add({ sequence, hash, closeTime, meta: closeMeta(header, ordered.set, applied, changedAfter).toXdr() })
  keepTransactions(store, sequence, applied)
  for (const { hash } of included) store.queue.drop(hexOf(hash))
  store.ledgers.prune(sequence - ledgersKept + 1)
  return { sequence, hash, closeTime, transactions: applied.length }
}
