import type { xdr } from '@stellar/stellar-sdk'
import { extensionOf } from './account-extension.ts'
import { int64Max } from './accounts.ts'
import type { ClosingLedger } from './draft.ts'

const timeBoundsOf = (cond: xdr.Preconditions): xdr.TimeBounds | null => {
  switch (cond.type) {
    case 'precondNone':
      return null
    case 'precondTime':
      return cond.timeBounds
    case 'precondV2':
      return cond.v2.timeBounds
  }
}

const v2Of = (cond: xdr.Preconditions): xdr.PreconditionsV2 | undefined =>
  cond.type === 'precondV2' ? cond.v2 : undefined

/** `earliest` is the least close time of its ledger; for a submission that of the last closed ledger. */
export const isTooEarly = ({ cond }: xdr.Transaction, { sequence }: ClosingLedger, earliest: bigint): boolean =>
  (timeBoundsOf(cond)?.minTime ?? 0n) > earliest || (v2Of(cond)?.ledgerBounds?.minLedger ?? 0) > sequence

export const isTooLate = ({ cond }: xdr.Transaction, { sequence, closeTime }: ClosingLedger): boolean => {
  const maxTime = timeBoundsOf(cond)?.maxTime ?? 0n
  const maxLedger = v2Of(cond)?.ledgerBounds?.maxLedger ?? 0
  return (maxTime !== 0n && maxTime < closeTime) || (maxLedger !== 0 && maxLedger <= sequence)
}

/** The first sequence number of an account created in this ledger. */
export const firstSequence = ({ sequence }: ClosingLedger): bigint => BigInt(sequence) << 32n

/** Requires the next sequence number; with `minSeqNum`, any higher number once the account has reached that minimum. */
export const isBadSequence = (
  { seqNum, cond }: xdr.Transaction,
  { seqNum: current }: xdr.AccountEntry,
  ledger: ClosingLedger,
): boolean => {
  if (seqNum === firstSequence(ledger)) return true
  const least = v2Of(cond)?.minSeqNum ?? null
  if (least !== null) return current < least || current >= seqNum
  return current === int64Max || current + 1n !== seqNum
}

/** Whether the account last used its sequence number too recently for the transaction's preconditions. */
export const isTooEarlyForAccount = (
  { cond }: xdr.Transaction,
  account: xdr.AccountEntry,
  { sequence }: ClosingLedger,
  earliest: bigint,
): boolean => {
  const v2 = v2Of(cond)
  if (v2 === undefined) return false
  const { seqLedger, seqTime } = extensionOf(account)
  return v2.minSeqAge > earliest || earliest - v2.minSeqAge < seqTime || sequence - v2.minSeqLedgerGap < seqLedger
}
