import { xdr } from '@stellar/stellar-sdk'
import { accountFlags, requireAccount } from '../ledger/accounts.ts'
import { type IssuedAsset, isCodeValid } from '../ledger/assets.ts'
import { authorizedFlag, findTrustline, maintainsLiabilitiesFlag } from '../ledger/trustlines.ts'
import { type OperationLogic, resultsOf } from './operation.ts'
import { authorizationFlags, setLineFlags } from './trust-flags.ts'

const code = xdr.AllowTrustResult
const { success, done, refused } = resultsOf(xdr.OperationResultTr.allowTrust, code.allowTrustSuccess())

const issuedWith = (assetCode: xdr.AssetCode, issuer: xdr.PublicKey): IssuedAsset =>
  assetCode.type === 'assetTypeCreditAlphanum4'
    ? xdr.TrustLineAsset.assetTypeCreditAlphanum4(new xdr.AlphaNum4({ assetCode: assetCode.assetCode4, issuer }))
    : xdr.TrustLineAsset.assetTypeCreditAlphanum12(new xdr.AlphaNum12({ assetCode: assetCode.assetCode12, issuer }))

/** The predecessor of `setTrustLineFlags`: sets one authorization of a holder, or none. */
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
