import { xdr } from '@stellar/stellar-sdk'
import { extended, extensionOf } from './account-extension.ts'
import { availableBalance, findAccount, int64Max, saveAccount } from './accounts.ts'
import { issuedAsset } from './assets.ts'
import type { LedgerDraft, LedgerView } from './draft.ts'
import {
  authorizedFlag,
  findTrustline,
  isIssuer,
  lineLiabilities,
  maintainsLiabilitiesFlag,
  saveTrustline,
  withLiabilities,
} from './trustlines.ts'

/** An account's holding of an asset. An issuer holds nothing: it sends and receives its own asset without limit. */
export type Holding =
  | { readonly kind: 'native'; readonly account: xdr.AccountEntry }
  | { readonly kind: 'line'; readonly line: xdr.TrustLineEntry }
  | { readonly kind: 'issuer' }

/** Undefined without a trustline, or for the native asset without an account. */
export const findHolding = (view: LedgerView, accountId: xdr.PublicKey, asset: xdr.Asset): Holding | undefined => {
  const issued = issuedAsset(asset)
  if (issued === undefined) {
    const account = findAccount(view, accountId)
    return account === undefined ? undefined : { kind: 'native', account }
  }
  if (isIssuer(accountId, issued)) return { kind: 'issuer' }
  const line = findTrustline(view, accountId, issued)
  return line === undefined ? undefined : { kind: 'line', line }
}

/** Thrown when the owner of an offer in the book can neither pay nor be paid. */
class BrokenOffer extends Error {}

export const requireHolding = (view: LedgerView, accountId: xdr.PublicKey, asset: xdr.Asset): Holding => {
  const holding = findHolding(view, accountId, asset)
  if (holding === undefined) throw new BrokenOffer(accountId.toXdr('hex'))
  return holding
}

const hasFlag = (holding: Holding, flags: number): boolean =>
  holding.kind !== 'line' || (holding.line.flags & flags) !== 0

export const isAuthorized = (holding: Holding): boolean => hasFlag(holding, authorizedFlag)

/** The whole balance in stroops, including what is locked. */
export const balanceOf = (holding: Holding): bigint => {
  switch (holding.kind) {
    case 'native':
      return holding.account.balance
    case 'line':
      return holding.line.balance
    case 'issuer':
      return int64Max
  }
}

/** The balance in stroops less reserve and selling liabilities. Negative where fees consumed part of a reserve. */
export const spendable = (holding: Holding): bigint => {
  switch (holding.kind) {
    case 'native':
      return availableBalance(holding.account)
    case 'line':
      return holding.line.balance - lineLiabilities(holding.line).selling
    case 'issuer':
      return int64Max
  }
}

/** The room for more in stroops, less buying liabilities. */
export const room = (holding: Holding): bigint => {
  switch (holding.kind) {
    case 'native':
      return int64Max - holding.account.balance - extensionOf(holding.account).liabilities.buying
    case 'line':
      return holding.line.limit - holding.line.balance - lineLiabilities(holding.line).buying
    case 'issuer':
      return int64Max
  }
}

const orNothing = (amount: bigint): bigint => (amount > 0n ? amount : 0n)

/** The amount that an offer can sell from a holding, or be paid into it. */
export const sellable = (holding: Holding): bigint =>
  hasFlag(holding, authorizedFlag | maintainsLiabilitiesFlag) ? orNothing(spendable(holding)) : 0n

export const buyable = (holding: Holding): bigint => orNothing(room(holding))

/** Adds to a holding, or subtracts a negative amount; the caller has checked that it fits. */
export const add = (draft: LedgerDraft, holding: Holding, amount: bigint): void => {
  if (amount === 0n) return
  switch (holding.kind) {
    case 'native':
      saveAccount(draft, holding.account, { balance: holding.account.balance + amount })
      return
    case 'line':
      saveTrustline(draft, holding.line, { balance: holding.line.balance + amount })
      return
    case 'issuer':
      return
  }
}

/** Locks an offer's liabilities in stroops, or releases negative ones. */
export const bind = (
  draft: LedgerDraft,
  holding: Holding,
  { selling = 0n, buying = 0n }: { readonly selling?: bigint; readonly buying?: bigint },
): void => {
  if (selling === 0n && buying === 0n) return
  const sum = (bound: xdr.Liabilities) => {
    const liabilities = new xdr.Liabilities({ selling: bound.selling + selling, buying: bound.buying + buying })
    if (liabilities.selling < 0n || liabilities.buying < 0n) throw new BrokenOffer('released more than was bound')
    return liabilities
  }
  switch (holding.kind) {
    case 'native': {
      const liabilities = sum(extensionOf(holding.account).liabilities)
      saveAccount(draft, holding.account, { ext: extended(holding.account, 1, { liabilities }) })
      return
    }
    case 'line':
      saveTrustline(draft, holding.line, { ext: withLiabilities(holding.line, sum(lineLiabilities(holding.line))) })
      return
    case 'issuer':
      return
  }
}
