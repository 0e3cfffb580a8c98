import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { baseReserve, hexOf } from '../network.ts'
import { extended, extensionOf } from './account-extension.ts'
import { availableBalance, minimumBalance, requireAccount, saveAccount } from './accounts.ts'
import type { LedgerDraft, LedgerView, Pledges } from './draft.ts'
import { dataOf, type EntryData, type EntryKey } from './entry-keys.ts'

const maxSubentries = 1_000
const uint32Max = 4_294_967_295

/** Why no account can take the reserve of a new entry. */
export type ReserveProblem = 'tooManySubentries' | 'tooManySponsoring' | 'lowReserve'

/** The account's sponsor in the running transaction. */
export const pledgedTo = (pledges: Pledges, accountId: xdr.PublicKey): xdr.PublicKey | undefined =>
  pledges.get(hexOf(accountId.ed25519.value))

/** Whether the account sponsors another in the running transaction. */
export const isSponsoringNow = (pledges: Pledges, accountId: xdr.PublicKey): boolean =>
  [...pledges.values()].some((sponsor) => sponsor.equals(accountId))

export const beginPledge = (pledges: Pledges, sponsored: xdr.PublicKey, sponsor: xdr.PublicKey): void =>
  void pledges.set(hexOf(sponsored.ed25519.value), sponsor)

/** Answers false where the account had no sponsor. */
export const endPledge = (pledges: Pledges, sponsored: xdr.PublicKey): boolean =>
  pledges.delete(hexOf(sponsored.ed25519.value))

export const sponsorIn = ({ ext }: xdr.LedgerEntry): xdr.PublicKey | undefined =>
  (ext.type === 'v1' ? ext.v1.sponsoringId : null) ?? undefined

/** The extension of an entry with this sponsor, or without one any longer. */
export const sponsoredBy = (sponsoringId: xdr.PublicKey | null): xdr.LedgerEntryExt =>
  xdr.LedgerEntryExt.v1(new xdr.LedgerEntryExtensionV1({ sponsoringId, ext: xdr.LedgerEntryExtensionV1Ext.v0() }))

/** The number of base reserves of an entry. Contract entries pay rent instead. */
export const reservesOf = (data: EntryData): number => {
  switch (data.type) {
    case 'account':
      return 2
    case 'claimableBalance':
      return data.claimableBalance.claimants.length
    case 'trustline':
    case 'offer':
    case 'data':
      return 1
    case 'contractData':
    case 'contractCode':
    case 'ttl':
      return 0
  }
}

/** The owner of an entry; claimable balances and contract entries have none. */
export const ownerOf = (data: EntryData): xdr.PublicKey | undefined => {
  switch (data.type) {
    case 'account':
      return data.account.accountId
    case 'trustline':
      return data.trustLine.accountId
    case 'offer':
      return data.offer.sellerId
    case 'data':
      return data.data.accountId
    case 'claimableBalance':
    case 'contractData':
    case 'contractCode':
    case 'ttl':
      return undefined
  }
}

/** Changes to an account's three reserve counts. */
type Counts = { readonly subentries?: number; readonly sponsored?: number; readonly sponsoring?: number }

/** Changes an account's reserve counts. Sponsorship counts add the extension that holds them. */
export const count = (draft: LedgerDraft, accountId: xdr.PublicKey, change: Counts): void => {
  const { subentries = 0, sponsored = 0, sponsoring = 0 } = change
  const account = requireAccount(draft, accountId)
  const { numSponsored, numSponsoring } = extensionOf(account)
  const counts = { numSponsored: numSponsored + sponsored, numSponsoring: numSponsoring + sponsoring }
  const ext = sponsored === 0 && sponsoring === 0 ? account.ext : extended(account, 2, counts)
  saveAccount(draft, account, { numSubEntries: account.numSubEntries + subentries, ext })
}

const sumIsTooLarge = (account: xdr.AccountEntry, more: number): boolean =>
  extensionOf(account).numSponsoring + account.numSubEntries + more > uint32Max

/** Why an account can have no more subentries, whoever sponsors them. */
export const subentriesProblem = (account: xdr.AccountEntry, more: number): ReserveProblem | undefined =>
  account.numSubEntries > maxSubentries - more || sumIsTooLarge(account, more) ? 'tooManySubentries' : undefined

/** Why an account cannot lock more reserves for itself. */
export const ownReserveProblem = (account: xdr.AccountEntry, more: number): ReserveProblem | undefined =>
  availableBalance(account) < BigInt(more) * baseReserve ? 'lowReserve' : undefined

/** Why an account cannot lock more reserves for others. */
export const sponsorProblem = (sponsor: xdr.AccountEntry, more: number): ReserveProblem | undefined =>
  ownReserveProblem(sponsor, more) ?? (sumIsTooLarge(sponsor, more) ? 'tooManySponsoring' : undefined)

const unsponsoredProblem = (view: LedgerView, data: EntryData, payer: xdr.PublicKey): ReserveProblem | undefined => {
  if (data.type === 'account') return data.account.balance < minimumBalance(data.account) ? 'lowReserve' : undefined
  const owner = requireAccount(view, payer)
  return subentriesProblem(owner, reservesOf(data)) ?? ownReserveProblem(owner, reservesOf(data))
}

/** A new account's counts go into the entry itself, which is not in the ledger yet. */
const withSponsoredCount = (data: EntryData): EntryData =>
  data.type !== 'account'
    ? data
    : xdr.LedgerEntryData.account(
        new xdr.AccountEntry({ ...data.account, ext: extended(data.account, 2, { numSponsored: reservesOf(data) }) }),
      )

const createSponsored = (
  draft: LedgerDraft,
  data: EntryData,
  sponsor: xdr.PublicKey,
): E.Either<ReserveProblem, undefined> => {
  const reserves = reservesOf(data)
  const owner = data.type === 'account' ? undefined : ownerOf(data)
  const problem =
    (owner === undefined ? undefined : subentriesProblem(requireAccount(draft, owner), reserves)) ??
    sponsorProblem(requireAccount(draft, sponsor), reserves)
  if (problem !== undefined) return E.left(problem)
  count(draft, sponsor, { sponsoring: reserves })
  if (owner !== undefined) count(draft, owner, { subentries: reserves, sponsored: reserves })
  draft.put(withSponsoredCount(data), sponsoredBy(sponsor))
  return E.right(undefined)
}

/**
 * Creates an entry. Its reserve goes to the sponsor of `payer`, or to `payer` itself: the entry's owner, or the creator
 * of a claimable balance, who always counts as its sponsor.
 */
export const createEntry = (
  draft: LedgerDraft,
  data: EntryData,
  payer: xdr.PublicKey,
): E.Either<ReserveProblem, undefined> => {
  const sponsor = pledgedTo(draft.pledges, payer) ?? (data.type === 'claimableBalance' ? payer : undefined)
  if (sponsor !== undefined) return createSponsored(draft, data, sponsor)
  const problem = unsponsoredProblem(draft, data, payer)
  if (problem !== undefined) return E.left(problem)
  if (data.type !== 'account') count(draft, payer, { subentries: reservesOf(data) })
  draft.put(data)
  return E.right(undefined)
}

/** Removes an entry and releases its reserve. */
export const removeEntry = (draft: LedgerDraft, key: EntryKey): void => {
  const entry = draft.find(key)
  if (entry === undefined) return
  const data = dataOf(entry)
  const reserves = reservesOf(data)
  const sponsor = sponsorIn(entry)
  if (sponsor !== undefined) count(draft, sponsor, { sponsoring: -reserves })
  const owner = data.type === 'account' ? undefined : ownerOf(data)
  if (owner !== undefined)
    count(draft, owner, { subentries: -reserves, sponsored: sponsor === undefined ? 0 : -reserves })
  draft.remove(key)
}
