import type { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { requireAccount } from './accounts.ts'
import type { LedgerDraft } from './draft.ts'
import { dataOf, keyOf } from './entry-keys.ts'
import { replaceSigner, type Sponsored } from './signers.ts'
import {
  count,
  ownerOf,
  ownReserveProblem,
  type ReserveProblem,
  reservesOf,
  sponsoredBy,
  sponsorIn,
  sponsorProblem,
} from './sponsorship.ts'

/** The new sponsor of a reserve; null is the owner itself. */
export type NewSponsor = xdr.PublicKey | null

type Moved = E.Either<ReserveProblem, undefined>

/**
 * Moves the count from the old sponsor to the new one. An owner that takes back a reserve must be able to afford it.
 */
const recount = (
  draft: LedgerDraft,
  owner: xdr.PublicKey | undefined,
  reserves: number,
  from: xdr.PublicKey | null,
  to: NewSponsor,
): Moved => {
  const problem =
    to === null
      ? owner && ownReserveProblem(requireAccount(draft, owner), reserves)
      : sponsorProblem(requireAccount(draft, to), reserves)
  if (problem !== undefined) return E.left(problem)
  if (from !== null) count(draft, from, { sponsoring: -reserves })
  if (to !== null) count(draft, to, { sponsoring: reserves })
  const sponsored = (to === null ? 0 : reserves) - (from === null ? 0 : reserves)
  if (owner !== undefined && sponsored !== 0) count(draft, owner, { sponsored })
  return E.right(undefined)
}

/** Moves an entry's reserve; does nothing where it stays unsponsored. */
export const moveEntryReserve = (draft: LedgerDraft, entry: xdr.LedgerEntry, to: NewSponsor): Moved => {
  const from = sponsorIn(entry) ?? null
  if (from === null && to === null) return E.right(undefined)
  const data = dataOf(entry)
  const moved = recount(draft, ownerOf(data), reservesOf(data), from, to)
  if (E.isLeft(moved)) return moved
  // An account's own counts have just changed.
  const current = draft.find(keyOf(data)) ?? entry
  draft.put(dataOf(current), sponsoredBy(to))
  return moved
}

export const moveSignerReserve = (
  draft: LedgerDraft,
  accountId: xdr.PublicKey,
  { signer, sponsor: from }: Sponsored,
  to: NewSponsor,
): Moved => {
  if (from === null && to === null) return E.right(undefined)
  const moved = recount(draft, accountId, 1, from, to)
  if (E.isRight(moved)) replaceSigner(draft, accountId, { signer, sponsor: to })
  return moved
}
