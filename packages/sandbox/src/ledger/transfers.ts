import type { xdr } from '@stellar/stellar-sdk'
import type { LedgerDraft } from './draft.ts'
import { add, findHolding, isAuthorized, room, spendable } from './holdings.ts'

type TransferProblem = 'noTrust' | 'notAuthorized'

/** Credits an account, in stroops, or answers why it cannot be paid. */
export const credit = (
  draft: LedgerDraft,
  payee: xdr.PublicKey,
  asset: xdr.Asset,
  amount: bigint,
): TransferProblem | 'lineFull' | undefined => {
  const holding = findHolding(draft, payee, asset)
  if (holding === undefined) return 'noTrust'
  if (!isAuthorized(holding)) return 'notAuthorized'
  if (room(holding) < amount) return 'lineFull'
  add(draft, holding, amount)
  return undefined
}

/** Debits an account, in stroops, or answers why it cannot pay. */
export const debit = (
  draft: LedgerDraft,
  payer: xdr.PublicKey,
  asset: xdr.Asset,
  amount: bigint,
): TransferProblem | 'underfunded' | undefined => {
  const holding = findHolding(draft, payer, asset)
  if (holding === undefined) return 'noTrust'
  if (!isAuthorized(holding)) return 'notAuthorized'
  if (spendable(holding) < amount) return 'underfunded'
  add(draft, holding, -amount)
  return undefined
}
