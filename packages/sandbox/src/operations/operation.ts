import { xdr } from '@stellar/stellar-sdk'
import type { Either } from 'fp-ts/lib/Either.js'
import type { Level } from '../ledger/authorization.ts'
import type { LedgerDraft } from '../ledger/draft.ts'

/** A failed operation's result on the left, a successful one's on the right: the network's own codes. */
export type OperationOutcome = Either<xdr.OperationResult, xdr.OperationResult>

/**
 * What the ledger knows of one operation. `check` finds what no ledger state could cure; `apply` writes to the draft,
 * which its caller throws away when the outcome is a failure.
 */
export interface OperationLogic {
  readonly level: Level
  readonly success: xdr.OperationResult
  readonly check: (source: xdr.PublicKey) => OperationOutcome
  readonly apply: (source: xdr.PublicKey, draft: LedgerDraft) => OperationOutcome
}

export const innerResult = (result: xdr.OperationResultTr): xdr.OperationResult => xdr.OperationResult.opInner(result)

export const accountIdOf = (account: xdr.MuxedAccount): xdr.PublicKey =>
  xdr.PublicKey.publicKeyTypeEd25519(
    account.type === 'keyTypeEd25519' ? account.ed25519.value : account.med25519.ed25519.value,
  )
