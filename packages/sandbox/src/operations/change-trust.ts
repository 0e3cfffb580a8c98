import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { accountFlags, findAccount } from '../ledger/accounts.ts'
import { type IssuedAsset, isCodeValid, issuedAsset, issuerOf } from '../ledger/assets.ts'
import type { LedgerDraft } from '../ledger/draft.ts'
import { trustlineKey } from '../ledger/entry-keys.ts'
import { createEntry, removeEntry } from '../ledger/sponsorship.ts'
import {
  authorizedFlag,
  clawbackFlag,
  findTrustline,
  isIssuer,
  lineLiabilities,
  saveTrustline,
} from '../ledger/trustlines.ts'
import { type OperationLogic, type OperationOutcome, reserveRefusal, resultsOf } from './operation.ts'

const { result, success, done, refused } = resultsOf(
  xdr.OperationResultTr.changeTrust,
  xdr.ChangeTrustResult.changeTrustSuccess(),
)

const change = (draft: LedgerDraft, line: xdr.TrustLineEntry, asset: IssuedAsset, limit: bigint): OperationOutcome => {
  if (limit < line.balance + lineLiabilities(line).buying)
    return refused(xdr.ChangeTrustResult.changeTrustInvalidLimit())
  if (limit > 0n) {
    if (!findAccount(draft, issuerOf(asset))) return refused(xdr.ChangeTrustResult.changeTrustNoIssuer())
    saveTrustline(draft, line, { limit })
    return done
  }
  removeEntry(draft, trustlineKey(line.accountId, asset))
  return done
}

const flagsFrom = ({ flags }: xdr.AccountEntry): number =>
  ((flags & accountFlags.authRequired) === 0 ? authorizedFlag : 0) |
  ((flags & accountFlags.clawbackEnabled) === 0 ? 0 : clawbackFlag)

const open = (draft: LedgerDraft, source: xdr.PublicKey, asset: IssuedAsset, limit: bigint): OperationOutcome => {
  if (limit === 0n) return refused(xdr.ChangeTrustResult.changeTrustInvalidLimit())
  const issuer = findAccount(draft, issuerOf(asset))
  if (issuer === undefined) return refused(xdr.ChangeTrustResult.changeTrustNoIssuer())
  const ext = xdr.TrustLineEntryExt.v0()
  const line = { accountId: source, asset, balance: 0n, limit, flags: flagsFrom(issuer), ext }
  const created = createEntry(draft, xdr.LedgerEntryData.trustline(new xdr.TrustLineEntry(line)), source)
  return E.isLeft(created) ? reserveRefusal(created.left, result(xdr.ChangeTrustResult.changeTrustLowReserve())) : done
}

/** Pool shares are not supported: `opNOT_SUPPORTED`. */
export const changeTrust = ({ line: asset, limit }: xdr.ChangeTrustOp): OperationLogic => {
  const issued = issuedAsset(asset)
  return {
    level: 'medium',
    success,
    check: (source) => {
      if (asset.type === 'assetTypePoolShare') return E.left(xdr.OperationResult.opNotSupported())
      const isMalformed = limit < 0n || issued === undefined || !isCodeValid(issued) || isIssuer(source, issued)
      return isMalformed ? refused(xdr.ChangeTrustResult.changeTrustMalformed()) : done
    },
    apply: (source, draft) => {
      if (issued === undefined) return E.left(xdr.OperationResult.opNotSupported())
      const line = findTrustline(draft, source, issued)
      return line === undefined ? open(draft, source, issued, limit) : change(draft, line, issued, limit)
    },
  }
}
