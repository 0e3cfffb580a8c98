import { StrKey } from '@stellar/stellar-sdk'
import { headerIn } from '../ledger/close-meta.ts'
import { protocolVersion } from '../network.ts'
import type { FaultKnobs, LedgerReader, StoredLedger, StoredTransaction } from '../sandbox-api.ts'

/** A form of a transaction's changes that no decoder knows. */
const unknownForm = 999

/** Whether the knob `protocol` has what this transaction of a newer protocol has changed told in an unknown form. */
const isUnreadable = (ledger: StoredLedger, { envelope }: StoredTransaction, faults: FaultKnobs): boolean => {
  const { unreadable, unreadable_of: account } = faults.present().protocol ?? {}
  if (unreadable !== true || headerIn(ledger.meta).header.ledgerVersion <= protocolVersion) return false
  return account === undefined || Buffer.from(envelope).includes(Buffer.from(StrKey.decodeEd25519PublicKey(account)))
}

/**
 * A page of `getLedgers` as the knob `protocol` has it told: headers, transactions and results are as they were. A ledger without
 * transactions stays as it is.
 */
export const toldLedgers = (
  ledgers: ReadonlyArray<StoredLedger>,
  read: LedgerReader,
  faults: FaultKnobs,
): ReadonlyArray<StoredLedger> =>
  ledgers.map((ledger) => {
    if (faults.present().protocol?.unreadable !== true) return ledger
    const meta = Buffer.from(ledger.meta)
    let from = 0
    for (const each of read.transactionsFrom(ledger.sequence, 1, Number.MAX_SAFE_INTEGER)) {
      if (each.ledger !== ledger.sequence) break
      const found = meta.indexOf(each.meta, from)
      if (found < 0) throw new Error('a ledger lacks the changes of its transaction')
      if (isUnreadable(ledger, each, faults)) meta.writeUInt32BE(unknownForm, found)
      from = found + each.meta.length
    }
    return { ...ledger, meta }
  })

/** What a transaction has changed, as a page of `getTransactions` tells it. */
export const toldMeta = (transaction: StoredTransaction, read: LedgerReader, faults: FaultKnobs): Uint8Array => {
  const [ledger] = read.ledgersFrom(transaction.ledger, 1)
  if (ledger === undefined || !isUnreadable(ledger, transaction, faults)) return transaction.meta
  const meta = Buffer.from(transaction.meta)
  meta.writeUInt32BE(unknownForm)
  return meta
}
