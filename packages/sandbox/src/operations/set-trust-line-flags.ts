import { xdr } from '@stellar/stellar-sdk'
import { accountFlags, requireAccount } from '../ledger/accounts.ts'
import { isCodeValid, issuedAsset } from '../ledger/assets.ts'
import { authorizedFlag, clawbackFlag, findTrustline, isIssuer } from '../ledger/trustlines.ts'
import { type OperationLogic, resultsOf } from './operation.ts'
import { authorizationFlags, isAuthorizationValid, lineFlags, setLineFlags } from './trust-flags.ts'

const code = xdr.SetTrustLineFlagsResult
const { success, done, refused } = resultsOf(xdr.OperationResultTr.setTrustLineFlags, code.setTrustLineFlagsSuccess())

/** Clawback is set when the trustline is created; an issuer can only clear it. */
const areFlagsValid = (setFlags: number, clearFlags: number): boolean =>
  (setFlags & clearFlags) === 0 &&
  (setFlags & ~(lineFlags & ~clawbackFlag)) === 0 &&
  isAuthorizationValid(setFlags) &&
  (clearFlags & ~lineFlags) === 0

export const setTrustLineFlags = (operation: xdr.SetTrustLineFlagsOp): OperationLogic => {
  const { trustor, asset, clearFlags, setFlags } = operation
  const issued = issuedAsset(asset)
  return {
    level: 'low',
    success,
    check: (source) => {
      const isOwnAsset = issued !== undefined && isCodeValid(issued) && isIssuer(source, issued)
      const isValid = isOwnAsset && !trustor.equals(source) && areFlagsValid(setFlags, clearFlags)
      return isValid ? done : refused(code.setTrustLineFlagsMalformed())
    },
    apply: (source, draft) => {
      const isRevocable = (requireAccount(draft, source).flags & accountFlags.authRevocable) !== 0
      const isRevoking = (clearFlags & authorizationFlags) !== 0 && (setFlags & authorizedFlag) === 0
      if (isRevoking && !isRevocable) return refused(code.setTrustLineFlagsCantRevoke())
      const line = issued && findTrustline(draft, trustor, issued)
      if (issued === undefined || line === undefined) return refused(code.setTrustLineFlagsNoTrustLine())
      const flags = (line.flags & ~clearFlags) | setFlags
      if (!isAuthorizationValid(flags)) return refused(code.setTrustLineFlagsInvalidState())
      setLineFlags(draft, line, issued, flags)
      return done
    },
  }
}
