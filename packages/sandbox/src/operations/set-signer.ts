import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { sequenceUsed, subentryProblem, usedExtension } from '../ledger/accounts.ts'
import { innerResult } from './operation.ts'

const maxSigners = 20

const refused = (code: xdr.SetOptionsResult) => E.left(innerResult(xdr.OperationResultTr.setOptions(code)))

type Signers = Pick<xdr.AccountEntry, 'signers' | 'numSubEntries' | 'ext'>

const extensionFor = (account: xdr.AccountEntry, signers: number): xdr.AccountEntryExt => {
  const { ledger, time } = sequenceUsed(account)
  return account.ext.type === 'v0' ? account.ext : usedExtension(signers, ledger, time)
}

const inOrder = (one: xdr.Signer, other: xdr.Signer): number => Buffer.compare(one.key.toXdr(), other.key.toXdr())

/** The account's fields once a signer is added, weighed anew, or with weight 0 removed. Signers are kept in key order. */
export const withSigner = (
  account: xdr.AccountEntry,
  signer: xdr.Signer,
): E.Either<xdr.OperationResult, Partial<Signers>> => {
  const others = account.signers.filter(({ key }) => !key.equals(signer.key))
  const isThere = others.length < account.signers.length
  if (signer.weight === 0) {
    const numSubEntries = account.numSubEntries - (isThere ? 1 : 0)
    return E.right({ signers: others, numSubEntries, ext: extensionFor(account, others.length) })
  }
  const signers = [...others, signer].sort(inOrder)
  if (isThere) return E.right({ signers })
  if (others.length === maxSigners) return refused(xdr.SetOptionsResult.setOptionsTooManySigners())
  const problem = subentryProblem(account)
  if (problem === 'tooMany') return E.left(xdr.OperationResult.opTooManySubentries())
  if (problem === 'lowReserve') return refused(xdr.SetOptionsResult.setOptionsLowReserve())
  return E.right({ signers, numSubEntries: account.numSubEntries + 1, ext: extensionFor(account, signers.length) })
}
