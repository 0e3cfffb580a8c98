import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { requireAccount } from '../ledger/accounts.ts'
import { type IssuedAsset, isCodeValid } from '../ledger/assets.ts'
import { authorizedFlag, findTrustline, maintainsLiabilitiesFlag } from '../ledger/trustlines.ts'
import { innerResult, type OperationLogic, type OperationOutcome } from './operation.ts'
import { accountFlags } from './set-options.ts'
import { authorizationFlags, setLineFlags } from './trust-flags.ts'

const code = xdr.AllowTrustResult
const result = (each: xdr.AllowTrustResult) => innerResult(xdr.OperationResultTr.allowTrust(each))
const refused = (each: xdr.AllowTrustResult) => E.left(result(each))
const success = result(code.allowTrustSuccess())
const done: OperationOutcome = E.right(success)

const issuedWith = (assetCode: xdr.AssetCode, issuer: xdr.PublicKey): IssuedAsset =>
  assetCode.type === 'assetTypeCreditAlphanum4'
    ? xdr.TrustLineAsset.assetTypeCreditAlphanum4(new xdr.AlphaNum4({ assetCode: assetCode.assetCode4, issuer }))
    : xdr.TrustLineAsset.assetTypeCreditAlphanum12(new xdr.AlphaNum12({ assetCode: assetCode.assetCode12, issuer }))

/** What `setTrustLineFlags` has replaced: gives a holder one authorisation, or none. */
export const allowTrust = ({ trustor, asset: assetCode, authorize }: xdr.AllowTrustOp): OperationLogic => ({
  level: 'low',
  success,
  check: (source) => {
    const isValid = authorize <= maintainsLiabilitiesFlag && isCodeValid(issuedWith(assetCode, source))
    return isValid && !trustor.equals(source) ? done : refused(code.allowTrustMalformed())
  },
  apply: (source, draft) => {
    const isRevocable = (requireAccount(draft, source).flags & accountFlags.authRevocable) !== 0
    if (!isRevocable && authorize === 0) return refused(code.allowTrustCantRevoke())
    const asset = issuedWith(assetCode, source)
    const line = findTrustline(draft, trustor, asset)
    if (line === undefined) return refused(code.allowTrustNoTrustLine())
    const isLowered = (line.flags & authorizedFlag) !== 0 && authorize === maintainsLiabilitiesFlag
    if (!isRevocable && isLowered) return refused(code.allowTrustCantRevoke())
    setLineFlags(draft, line, asset, (line.flags & ~authorizationFlags) | authorize)
    return done
  },
})
