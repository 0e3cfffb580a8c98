import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { extensionOf } from '../ledger/account-extension.ts'
import { findAccount, int64Max, requireAccount, saveAccount } from '../ledger/accounts.ts'
import type { LedgerDraft } from '../ledger/draft.ts'
import { accountKey } from '../ledger/entry-keys.ts'
import { firstSequence } from '../ledger/preconditions.ts'
import { removeSigner } from '../ledger/signers.ts'
import { isSponsoringNow, removeEntry } from '../ledger/sponsorship.ts'
import { hexOf } from '../network.ts'
import { accountIdOf, innerResult, type OperationLogic, type OperationOutcome } from './operation.ts'
import { accountFlags } from './set-options.ts'

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
 * An account whose number has run ahead of the ledger's cannot go: were it created anew, its number would start below
 * the old one, and old transactions could be applied again. That goes for a transaction of its own in this ledger, too.
 */
export const accountMerge = (destination: xdr.MuxedAccount): OperationLogic => {
  const heir = accountIdOf(destination)
  return {
    level: 'high',
    success: merged(0n),
    check: (source): OperationOutcome =>
      heir.equals(source) ? E.left(result(code.accountMergeMalformed())) : E.right(merged(0n)),
    apply: (source, draft) => {
      if (findAccount(draft, heir) === undefined) return E.left(result(code.accountMergeNoAccount()))
      const account = requireAccount(draft, source)
      const problem = problemOf(draft, account)
      if (problem !== undefined) return E.left(result(problem))
      const { signers, balance } = account
      for (const { key } of signers) removeSigner(draft, source, key)
      const receiver = requireAccount(draft, heir)
      const { buying } = extensionOf(receiver).liabilities
      if (receiver.balance + balance > int64Max - buying) return E.left(result(code.accountMergeDestFull()))
      saveAccount(draft, receiver, { balance: receiver.balance + balance })
      removeEntry(draft, accountKey(source))
      return E.right(merged(balance))
    },
  }
}
