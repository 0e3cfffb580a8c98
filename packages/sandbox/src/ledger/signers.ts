import type { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { extended, extensionOf } from './account-extension.ts'
import { requireAccount, saveAccount } from './accounts.ts'
import type { LedgerDraft } from './draft.ts'
import {
  count,
  ownReserveProblem,
  pledgedTo,
  type ReserveProblem,
  sponsorProblem,
  subentriesProblem,
} from './sponsorship.ts'

/** A signer and the sponsor of its reserve; null is the account itself. */
export type Sponsored = { readonly signer: xdr.Signer; readonly sponsor: xdr.PublicKey | null }

const sponsoredSigners = (account: xdr.AccountEntry): ReadonlyArray<Sponsored> => {
  const { signerSponsors } = extensionOf(account)
  return account.signers.map((signer, place) => ({ signer, sponsor: signerSponsors[place] ?? null }))
}

const inOrder = (one: Sponsored, other: Sponsored): number =>
  Buffer.compare(one.signer.key.toXdr(), other.signer.key.toXdr())

/** Stores signers in key order, with their sponsors if there are any. */
const saveSigners = (draft: LedgerDraft, accountId: xdr.PublicKey, changed: ReadonlyArray<Sponsored>): void => {
  const account = requireAccount(draft, accountId)
  const sorted = [...changed].sort(inOrder)
  const signers = sorted.map(({ signer }) => signer)
  const signerSponsors = sorted.map(({ sponsor }) => sponsor)
  const least = signerSponsors.every((each) => each === null) ? 0 : 2
  saveAccount(draft, account, { signers, ext: extended(account, least, { signerSponsors }) })
}

export const findSigner = (account: xdr.AccountEntry, key: xdr.SignerKey): Sponsored | undefined =>
  sponsoredSigners(account).find(({ signer }) => signer.key.equals(key))

const without = (account: xdr.AccountEntry, key: xdr.SignerKey): ReadonlyArray<Sponsored> =>
  sponsoredSigners(account).filter(({ signer }) => !signer.key.equals(key))

/** Changes a signer's weight or sponsor. */
export const replaceSigner = (draft: LedgerDraft, accountId: xdr.PublicKey, changed: Sponsored): void => {
  const account = requireAccount(draft, accountId)
  saveSigners(draft, accountId, [...without(account, changed.signer.key), changed])
}

/** Adds a signer; its reserve goes to the account's sponsor in this transaction, or else to the account. */
export const addSigner = (
  draft: LedgerDraft,
  accountId: xdr.PublicKey,
  signer: xdr.Signer,
): E.Either<ReserveProblem, undefined> => {
  const account = requireAccount(draft, accountId)
  const sponsor = pledgedTo(draft.pledges, accountId) ?? null
  const problem =
    subentriesProblem(account, 1) ??
    (sponsor === null ? ownReserveProblem(account, 1) : sponsorProblem(requireAccount(draft, sponsor), 1))
  if (problem !== undefined) return E.left(problem)
  if (sponsor !== null) count(draft, sponsor, { sponsoring: 1 })
  saveSigners(draft, accountId, [...sponsoredSigners(account), { signer, sponsor }])
  count(draft, accountId, { subentries: 1, sponsored: sponsor === null ? 0 : 1 })
  return E.right(undefined)
}

/** Removes a signer, if present, and releases its reserve. */
export const removeSigner = (draft: LedgerDraft, accountId: xdr.PublicKey, key: xdr.SignerKey): void => {
  const account = requireAccount(draft, accountId)
  const found = findSigner(account, key)
  if (found === undefined) return
  if (found.sponsor !== null) count(draft, found.sponsor, { sponsoring: -1 })
  saveSigners(draft, accountId, without(account, key))
  count(draft, accountId, { subentries: -1, sponsored: found.sponsor === null ? 0 : -1 })
}
