import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { findAccount, int64Max } from '../../ledger/accounts.ts'
import { issuedAsset } from '../../ledger/assets.ts'
import { createEntry } from '../../ledger/sponsorship.ts'
import { authorizedFlag, clawbackFlag, findTrustline, isIssuer } from '../../ledger/trustlines.ts'
import { assetIn } from './asset.ts'
import { issuerHas } from './issuer.ts'
import { refuse } from './token-errors.ts'
import type { Token } from './token-storage.ts'

/** Opens a trustline with the maximum limit, if there is none, once the account has authorized it. */
export const openLine = (token: Token, account: xdr.PublicKey, authorize: () => void): void => {
  const asset = issuedAsset(assetIn(token.frame)) ?? refuse('notSupported', 'the native asset needs no line')
  const { classic } = token.host.storage
  if (isIssuer(account, asset)) refuse('notSupported', 'issuer needs no line')
  if (findTrustline(classic, account, asset) !== undefined) return
  authorize()
  const authorized = issuerHas(token, 'authRequired') ? 0 : authorizedFlag
  const flags = authorized | (issuerHas(token, 'clawbackEnabled') ? clawbackFlag : 0)
  if (findAccount(classic, account) === undefined) refuse('accountMissing', 'account entry is missing')
  const line = { accountId: account, asset, balance: 0n, limit: int64Max, flags, ext: xdr.TrustLineEntryExt.v0() }
  const created = createEntry(classic, xdr.LedgerEntryData.trustline(new xdr.TrustLineEntry(line)), account)
  if (E.isLeft(created)) refuse(created.left === 'lowReserve' ? 'reserve' : 'tooManySubentries', created.left)
}
