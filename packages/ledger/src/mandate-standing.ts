import type { AccountId, AssetId, ContractId, LedgerSequence, MandateId, Stroops } from '@quittance/domain'
import type { MandateRecord } from './mandate.ts'

/** A customer's approval for a contract to take an asset. */
export type ApprovalKey = { readonly contract: ContractId; readonly customer: AccountId; readonly assetId: AssetId }

export type MandateKey = ApprovalKey & { readonly mandate: MandateId }

/** `amount` may be taken up to and in ledger `liveUntil`. */
export type Allowance = { readonly amount: bigint; readonly liveUntil: number }

/**
 * Whether a wallet can pay: `spendable` leaves out the reserve and what offers sell. The native asset needs no
 * trustline or authorisation. `changedIn`: the last ledger that changed any of this, where it is known.
 */
export type Wallet = {
  readonly spendable: Stroops
  readonly hasTrustline: boolean
  readonly isAuthorized: boolean
  readonly changedIn?: number
}

/**
 * A customer's approval and wallet, as of ledger `asOf`. `allowance` is null where the next ledger finds none: never
 * given, revoked, or expired. `lastExpiry` is the last one that was approved through the contract, which takes no
 * earlier one. `wallet` is null where there is no such account.
 */
export type ApprovalStanding = {
  readonly allowance: Allowance | null
  readonly lastExpiry: number | null
  readonly wallet: Wallet | null
  readonly asOf: LedgerSequence
}

/** `record` is null where the contract has no such mandate. `isArchived`: the next use restores it, for a fee. */
export type MandateStanding = ApprovalStanding & { readonly record: MandateRecord | null; readonly isArchived: boolean }
