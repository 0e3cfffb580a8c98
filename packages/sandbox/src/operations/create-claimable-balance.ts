import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { accountFlags, requireAccount } from '../ledger/accounts.ts'
import { isAssetValid } from '../ledger/assets.ts'
import { atCloseTime, isPredicateValid } from '../ledger/claim-predicates.ts'
import { balanceIdAt, clawbackExt } from '../ledger/claimable-balances.ts'
import type { LedgerView } from '../ledger/draft.ts'
import { findHolding } from '../ledger/holdings.ts'
import { createEntry } from '../ledger/sponsorship.ts'
import { debit } from '../ledger/transfers.ts'
import { clawbackFlag } from '../ledger/trustlines.ts'
import { innerResult, type OperationLogic, type OperationOutcome, reserveRefusal } from './operation.ts'

const code = xdr.CreateClaimableBalanceResult
const result = (each: xdr.CreateClaimableBalanceResult) =>
  innerResult(xdr.OperationResultTr.createClaimableBalance(each))
const created = (balanceId: xdr.ClaimableBalanceId) => result(code.createClaimableBalanceSuccess(balanceId))
const nothingDone = created(xdr.ClaimableBalanceId.claimableBalanceIdTypeV0(new Uint8Array(32)))

const debitCodes = {
  noTrust: code.createClaimableBalanceNoTrust(),
  notAuthorized: code.createClaimableBalanceNotAuthorized(),
  underfunded: code.createClaimableBalanceUnderfunded(),
}

const isMalformed = ({ asset, amount, claimants }: xdr.CreateClaimableBalanceOp): boolean => {
  const destinations = new Set(claimants.map(({ v0 }) => v0.destination.toXdr('hex')))
  if (!isAssetValid(asset) || amount <= 0n || claimants.length === 0) return true
  return destinations.size < claimants.length || !claimants.every(({ v0 }) => isPredicateValid(v0.predicate))
}

/** A claimable balance is subject to clawback if its creator's holding is. */
const mayBeClawedBack = (view: LedgerView, source: xdr.PublicKey, asset: xdr.Asset): boolean => {
  const holding = findHolding(view, source, asset)
  switch (holding?.kind) {
    case 'line':
      return (holding.line.flags & clawbackFlag) !== 0
    case 'issuer':
      return (requireAccount(view, source).flags & accountFlags.clawbackEnabled) !== 0
    case 'native':
    case undefined:
      return false
  }
}

export const createClaimableBalance = (operation: xdr.CreateClaimableBalanceOp): OperationLogic => ({
  level: 'medium',
  success: nothingDone,
  check: (): OperationOutcome =>
    isMalformed(operation) ? E.left(result(code.createClaimableBalanceMalformed())) : E.right(nothingDone),
  apply: (source, draft, context) => {
    const { asset, amount } = operation
    const undebited = debit(draft, source, asset, amount)
    if (undebited !== undefined) return E.left(result(debitCodes[undebited]))
    const claimants = operation.claimants.map(({ v0: { destination, predicate } }) =>
      xdr.Claimant.claimantTypeV0(
        new xdr.ClaimantV0({ destination, predicate: atCloseTime(predicate, draft.ledger.closeTime) }),
      ),
    )
    const balanceId = balanceIdAt(context)
    const ext = clawbackExt(mayBeClawedBack(draft, source, asset))
    const entry = new xdr.ClaimableBalanceEntry({ balanceId, claimants, asset, amount, ext })
    const kept = createEntry(draft, xdr.LedgerEntryData.claimableBalance(entry), source)
    return E.isLeft(kept)
      ? reserveRefusal(kept.left, result(code.createClaimableBalanceLowReserve()))
      : E.right(created(balanceId))
  },
})
