import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { findAccount } from '../ledger/accounts.ts'
import { isCodeValid, isIssued } from '../ledger/assets.ts'
import type { LedgerDraft } from '../ledger/draft.ts'
import { dataOf } from '../ledger/entry-keys.ts'
import { moveEntryReserve, moveSignerReserve, type NewSponsor } from '../ledger/move-reserve.ts'
import { findSigner } from '../ledger/signers.ts'
import { ownerOf, pledgedTo, sponsorIn } from '../ledger/sponsorship.ts'
import { isIssuer } from '../ledger/trustlines.ts'
import { isNameValid } from './manage-data.ts'
import { type OperationLogic, type OperationOutcome, reserveRefusal, resultsOf } from './operation.ts'

const code = xdr.RevokeSponsorshipResult
const { result, success, done, refused } = resultsOf(
  xdr.OperationResultTr.revokeSponsorship,
  code.revokeSponsorshipSuccess(),
)
const lowReserve = result(code.revokeSponsorshipLowReserve())

const isWellFormed = (key: xdr.LedgerKey): boolean => {
  switch (key.type) {
    case 'account':
    case 'claimableBalance':
      return true
    case 'trustline': {
      const { accountId, asset } = key.trustLine
      if (asset.type === 'assetTypePoolShare') return true
      return isIssued(asset) && isCodeValid(asset) && !isIssuer(accountId, asset)
    }
    case 'offer':
      return key.offer.offerId > 0n
    case 'data':
      return isNameValid(key.data.dataName)
    case 'liquidityPool':
    case 'contractData':
    case 'contractCode':
    case 'configSetting':
    case 'ttl':
      return false
  }
}

/** The next sponsor: the revoking account's own sponsor, or else the owner, also where the two are the same. */
const successorOf = (draft: LedgerDraft, source: xdr.PublicKey, owner: xdr.PublicKey): NewSponsor => {
  const sponsor = pledgedTo(draft.pledges, source)
  return sponsor === undefined || sponsor.equals(owner) ? null : sponsor
}

const settled = (moved: ReturnType<typeof moveEntryReserve>): OperationOutcome =>
  E.isLeft(moved) ? reserveRefusal(moved.left, lowReserve) : done

const revokeEntry = (key: xdr.LedgerKey, source: xdr.PublicKey, draft: LedgerDraft): OperationOutcome => {
  const entry = draft.find(key.toXdr('hex'))
  if (entry === undefined) return refused(code.revokeSponsorshipDoesNotExist())
  const sponsor = sponsorIn(entry)
  const owner = ownerOf(dataOf(entry)) ?? sponsor
  if (owner === undefined || !(sponsor ?? owner).equals(source)) return refused(code.revokeSponsorshipNotSponsor())
  const successor = successorOf(draft, source, owner)
  if (successor === null && key.type === 'claimableBalance') return refused(code.revokeSponsorshipOnlyTransferable())
  return settled(moveEntryReserve(draft, entry, successor))
}

const revokeSigner = (
  { accountId, signerKey }: xdr.RevokeSponsorshipOpSigner,
  source: xdr.PublicKey,
  draft: LedgerDraft,
): OperationOutcome => {
  const account = findAccount(draft, accountId)
  const found = account === undefined ? undefined : findSigner(account, signerKey)
  if (found === undefined) return refused(code.revokeSponsorshipDoesNotExist())
  if (!(found.sponsor ?? accountId).equals(source)) return refused(code.revokeSponsorshipNotSponsor())
  return settled(moveSignerReserve(draft, accountId, found, successorOf(draft, source, accountId)))
}

export const revokeSponsorship = (operation: xdr.RevokeSponsorshipOp): OperationLogic => ({
  level: 'medium',
  success,
  check: () =>
    operation.type === 'revokeSponsorshipLedgerEntry' && !isWellFormed(operation.ledgerKey)
      ? refused(code.revokeSponsorshipMalformed())
      : done,
  apply: (source, draft) =>
    operation.type === 'revokeSponsorshipLedgerEntry'
      ? revokeEntry(operation.ledgerKey, source, draft)
      : revokeSigner(operation.signer, source, draft),
})
