import { xdr } from '@stellar/stellar-sdk'
import { addressValue, i128, nothing } from '../values/sc-values.ts'
import { addressAt, boolAt, bytesAt } from './arguments.ts'
import { adminIn, initializeAsset, isInitialized, setAdmin } from './asset.ts'
import { receive, requireClawbackFrom, setAuthorized, takeBack } from './balances.ts'
import { refuse } from './token-errors.ts'
import { emit } from './token-events.ts'
import { amountAt, authorize, requireNotIssuer, type TokenFunctions } from './token-function.ts'

/** The functions for the asset's admin, initially its issuer, and `init_asset`, which the network calls on creation. */
export const issuerFunctions: TokenFunctions = {
  admin: { takes: 0, run: ({ frame }) => addressValue(adminIn(frame)) },
  set_admin: {
    takes: 1,
    run: (token, args) => {
      const [admin, next] = [adminIn(token.frame), addressAt(args, 0)]
      authorize(token, admin)
      setAdmin(token.frame, next)
      emit(token, 'set_admin', [admin], addressValue(next))
      return nothing
    },
  },
  set_authorized: {
    takes: 2,
    run: (token, args) => {
      const [address, isAllowed] = [addressAt(args, 0), boolAt(args, 1)]
      authorize(token, adminIn(token.frame))
      setAuthorized(token, address, isAllowed)
      emit(token, 'set_authorized', [address], xdr.ScVal.scvBool(isAllowed))
      return nothing
    },
  },
  mint: {
    takes: 2,
    run: (token, args) => {
      const [to, amount] = [addressAt(args, 0), amountAt(args, 1)]
      requireNotIssuer(token, to)
      authorize(token, adminIn(token.frame))
      receive(token, to, amount)
      emit(token, 'mint', [to], i128(amount))
      return nothing
    },
  },
  clawback: {
    takes: 2,
    run: (token, args) => {
      const [from, amount] = [addressAt(args, 0), amountAt(args, 1)]
      requireClawbackFrom(token, from)
      authorize(token, adminIn(token.frame))
      takeBack(token, from, amount)
      emit(token, 'clawback', [from], i128(amount))
      return nothing
    },
  },
  init_asset: {
    takes: 1,
    run: ({ frame }, args) => {
      if (isInitialized(frame.instance)) refuse('alreadyInitialized', 'the token is there already')
      initializeAsset(frame.instance, xdr.Asset.fromXdr(bytesAt(args, 0)))
      return nothing
    },
  },
}
