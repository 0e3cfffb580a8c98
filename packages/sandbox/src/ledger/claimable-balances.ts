import { xdr } from '@stellar/stellar-sdk'
import { sha256 } from '../network.ts'
import type { OperationContext } from '../operations/operation.ts'
import type { LedgerView } from './draft.ts'
import { claimableBalanceKey } from './entry-keys.ts'

/** The only flag of a claimable balance: its issuer may claw it back. */
const clawbackFlag = 1

export const findClaimableBalance = (
  view: LedgerView,
  balanceId: xdr.ClaimableBalanceId,
): xdr.ClaimableBalanceEntry | undefined => {
  const data = view.find(claimableBalanceKey(balanceId))?.data
  return data?.type === 'claimableBalance' ? data.claimableBalance : undefined
}

/** The balance's id, derived from its operation's position; the operation's own source account plays no part. */
export const balanceIdAt = ({ account, sequence, index }: OperationContext): xdr.ClaimableBalanceId => {
  const operationId = new xdr.HashIdPreimageOperationId({ sourceAccount: account, seqNum: sequence, opNum: index })
  const preimage = xdr.HashIdPreimage.envelopeTypeOpId(operationId)
  return xdr.ClaimableBalanceId.claimableBalanceIdTypeV0(sha256(preimage.toXdr()))
}

export const clawbackExt = (isEnabled: boolean): xdr.ClaimableBalanceEntryExt =>
  isEnabled
    ? xdr.ClaimableBalanceEntryExt.v1(
        new xdr.ClaimableBalanceEntryExtensionV1({
          ext: xdr.ClaimableBalanceEntryExtensionV1Ext.v0(),
          flags: clawbackFlag,
        }),
      )
    : xdr.ClaimableBalanceEntryExt.v0()

export const isClawbackEnabled = ({ ext }: xdr.ClaimableBalanceEntry): boolean =>
  ext.type === 'v1' && (ext.v1.flags & clawbackFlag) !== 0
