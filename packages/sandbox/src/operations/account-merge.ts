import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { extensionOf } from '../ledger/account-extension.ts'
import { accountFlags, findAccount, int64Max, requireAccount, saveAccount } from '../ledger/accounts.ts'
import type { LedgerDraft } from '../ledger/draft.ts'
import { accountKey } from '../ledger/entry-keys.ts'
import { firstSequence } from '../ledger/preconditions.ts'
import { removeSigner } from '../ledger/signers.ts'
import { isSponsoringNow, removeEntry } from '../ledger/sponsorship.ts'
import { hexOf } from '../network.ts'
import { accountIdOf, innerResult, type OperationLogic, type OperationOutcome } from './operation.ts'

const code = xdr.AccountMergeResult
const result = (each: xdr.AccountMergeResult) => innerResult(xdr.OperationResultTr.accountMerge(each))
const merged = (balance: bigint) => result(code.accountMergeSuccess(balance))

const problemOf = (draft: LedgerDraft, account: xdr.AccountEntry): xdr.AccountMergeResult | undefined => {
  if ((account.flags & accountFlags.authImmutable) !== 0) return code.accountMergeImmutableSet()
  if (account.numSubEntries !== account.signers.length) return code.accountMergeHasSubEntries()
  const due = draft.ledger.sequences?.get(hexOf(account.accountId.ed25519.value)) ?? 0n
  const first = firstSequence(draft.ledger)
  if (account.seqNum >= first || due >= first) return code.accountMergeSeqnumTooFar()
  const isSponsor = isSponsoringNow(draft.pledges, account.accountId) || extensionOf(account).numSponsoring > 0
  return isSponsor ? code.accountMergeIsSponsor() : undefined
}

/**
 * An account may not be merged while its sequence number is at or above the first number of a new account in this
 * ledger: once recreated, it would accept old transactions again. Its own transaction in this ledger counts too.
 */
export const accountMerge = (destination: xdr.MuxedAccount): OperationLogic => {
  const receiverId = accountIdOf(destination)
  return {
    level: 'high',
    success: merged(0n),
    check: (source): OperationOutcome =>
      receiverId.equals(source) ? E.left(result(code.accountMergeMalformed())) : E.right(merged(0n)),
    apply: (source, draft) => {
      if (findAccount(draft, receiverId) === undefined) return E.left(result(code.accountMergeNoAccount()))
      const account = requireAccount(draft, source)
      const problem = problemOf(draft, account)
      if (problem !== undefined) return E.left(result(problem))
      const { signers, balance } = account
      for (const { key } of signers) removeSigner(draft, source, key)
      const receiver = requireAccount(draft, receiverId)
      const { buying } = extensionOf(receiver).liabilities
      if (receiver.balance + balance > int64Max - buying) return E.left(result(code.accountMergeDestFull()))
      saveAccount(draft, receiver, { balance: receiver.balance + balance })
      removeEntry(draft, accountKey(source))
      return E.right(merged(balance))
    },
  }
}
