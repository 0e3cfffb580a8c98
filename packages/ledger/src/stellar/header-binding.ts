import type { xdr } from '@stellar/stellar-sdk'

/** SHA-256 of the transactions of a ledger and of their results, 64 lower-case hex digits each. */
export type HeldHashes = { readonly transactions: string; readonly results: string }

/**
 * Whether a ledger belongs to the beginning of a network: protocol 0, before the first upgrade. Its header does not
 * cover transactions by later rules. No contract exists yet, so nobody has sold anything. Its own hash is computed as
 * usual: where a node shows one in the place of a later ledger, the next ledger does not continue it.
 */
export const isOfBeginning = ({ ledgerVersion }: xdr.LedgerHeader): boolean => ledgerVersion === 0

/** Whether a ledger's header covers the transactions and results that the ledger holds. */
export const isBound = ({ scpValue, txSetResultHash }: xdr.LedgerHeader, held: HeldHashes): boolean =>
  held.transactions === scpValue.txSetHash.toString() && held.results === txSetResultHash.toString()

/**
 * Throws unless a ledger's header, whose own hash the chain covers, covers the transactions and results that the ledger
 * holds. No header covers the changes of entries, so forged changes alone pass.
 * Source: Stellar-ledger.x, `LedgerHeader`.
 */
export const checkBound = ({ scpValue, txSetResultHash }: xdr.LedgerHeader, held: HeldHashes): void => {
  if (held.transactions !== scpValue.txSetHash.toString())
    throw new Error('the header names other transactions than the ledger holds')
  if (held.results !== txSetResultHash.toString())
    throw new Error('the header names other results than the ledger holds')
}
