import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { requireAccount } from '../ledger/accounts.ts'
import type { LedgerDraft } from '../ledger/draft.ts'
import { addSigner, findSigner, removeSigner, replaceSigner } from '../ledger/signers.ts'
import { innerResult, type OperationOutcome, reserveRefusal } from './operation.ts'

const maxSigners = 20

const result = (code: xdr.SetOptionsResult) => innerResult(xdr.OperationResultTr.setOptions(code))
const done: OperationOutcome = E.right(result(xdr.SetOptionsResult.setOptionsSuccess()))

/** Adds a signer, changes its weight, or removes it with weight 0. */
export const setSigner = (draft: LedgerDraft, accountId: xdr.PublicKey, signer: xdr.Signer): OperationOutcome => {
  if (signer.weight === 0) {
    removeSigner(draft, accountId, signer.key)
    return done
  }
  const account = requireAccount(draft, accountId)
  const found = findSigner(account, signer.key)
  if (found !== undefined) {
    replaceSigner(draft, accountId, { ...found, signer })
    return done
  }
  if (account.signers.length === maxSigners) return E.left(result(xdr.SetOptionsResult.setOptionsTooManySigners()))
  const added = addSigner(draft, accountId, signer)
  return E.isLeft(added) ? reserveRefusal(added.left, result(xdr.SetOptionsResult.setOptionsLowReserve())) : done
}
