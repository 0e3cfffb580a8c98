import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import type { Level } from '../ledger/authorization.ts'
import type { LedgerDraft } from '../ledger/draft.ts'
import type { ReserveProblem } from '../ledger/sponsorship.ts'
import type { ContractContext } from './contract-context.ts'

/** The operation's result on the ledger: a failure on the left, a success on the right. */
export type OperationOutcome = E.Either<xdr.OperationResult, xdr.OperationResult>

/**
 * The operation's position: its transaction's account and sequence number, and its index. `contract` is set in a
 * contract transaction.
 */
export type OperationContext = {
  readonly account: xdr.PublicKey
  readonly sequence: bigint
  readonly index: number
  readonly contract?: ContractContext
}

/**
 * The logic of one operation. `check` finds errors that no ledger state could cure. `apply` writes to the draft, which
 * the caller discards on failure. `success` stands for an operation that has not run because another stopped its
 * transaction.
 */
export interface OperationLogic {
  readonly level: Level
  readonly success: xdr.OperationResult
  readonly check: (source: xdr.PublicKey, declared?: xdr.SorobanTransactionData) => OperationOutcome
  readonly apply: (source: xdr.PublicKey, draft: LedgerDraft, context: OperationContext) => OperationOutcome
}

export const innerResult = (result: xdr.OperationResultTr): xdr.OperationResult => xdr.OperationResult.opInner(result)

/** The results of one kind of operation: `result` wraps its codes, `refused` fails with one, `done` succeeds. */
export const resultsOf = <Code>(wrap: (code: Code) => xdr.OperationResultTr, successCode: NoInfer<Code>) => {
  const result = (code: Code): xdr.OperationResult => innerResult(wrap(code))
  const success = result(successCode)
  const done: OperationOutcome = E.right(success)
  return { result, success, done, refused: (code: Code): E.Either<xdr.OperationResult, never> => E.left(result(code)) }
}

export const accountIdOf = (account: xdr.MuxedAccount): xdr.PublicKey =>
  xdr.PublicKey.publicKeyTypeEd25519(
    account.type === 'keyTypeEd25519' ? account.ed25519.value : account.med25519.ed25519.value,
  )

/** The failure when no account can take the reserve; each operation has its own code for a low one. */
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
