import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import type { Level } from '../ledger/authorization.ts'
import type { LedgerDraft } from '../ledger/draft.ts'
import type { ReserveProblem } from '../ledger/sponsorship.ts'
import type { ContractPlace } from './contract-place.ts'

/** A failed operation's result on the left, a successful one's on the right: the network's own codes. */
export type OperationOutcome = E.Either<xdr.OperationResult, xdr.OperationResult>

/**
 * Where an operation stands: its transaction's account and sequence number, and its index in there. In a contract
 * transaction also what that declares.
 */
export type OperationPlace = {
  readonly account: xdr.PublicKey
  readonly sequence: bigint
  readonly index: number
  readonly contract?: ContractPlace
}

/**
 * What the ledger knows of one operation. `check` finds what no ledger state could cure, `declared` being what a
 * contract transaction declares; `apply` writes to the draft, which its caller throws away when the outcome is a
 * failure. `success` is the result that stands for an operation which has not run, because another one stopped its
 * transaction.
 */
export interface OperationLogic {
  readonly level: Level
  readonly success: xdr.OperationResult
  readonly check: (source: xdr.PublicKey, declared?: xdr.SorobanTransactionData) => OperationOutcome
  readonly apply: (source: xdr.PublicKey, draft: LedgerDraft, place: OperationPlace) => OperationOutcome
}

export const innerResult = (result: xdr.OperationResultTr): xdr.OperationResult => xdr.OperationResult.opInner(result)

export const accountIdOf = (account: xdr.MuxedAccount): xdr.PublicKey =>
  xdr.PublicKey.publicKeyTypeEd25519(
    account.type === 'keyTypeEd25519' ? account.ed25519.value : account.med25519.ed25519.value,
  )

/** What to answer when nobody can keep the reserve; each operation has a code of its own for a low one. */
export const reserveRefusal = (problem: ReserveProblem, lowReserve: xdr.OperationResult): OperationOutcome => {
  switch (problem) {
    case 'lowReserve':
      return E.left(lowReserve)
    case 'tooManySubentries':
      return E.left(xdr.OperationResult.opTooManySubentries())
    case 'tooManySponsoring':
      return E.left(xdr.OperationResult.opTooManySponsoring())
  }
}
