import { xdr } from '@stellar/stellar-sdk'
import { issuedAsset } from '../../ledger/assets.ts'
import { accountAddress, i128, nothing, vec } from '../values/sc-values.ts'
import { allow, allowanceOf, spendAllowance } from './allowances.ts'
import { addressAt, muxableAt, u32At } from './arguments.ts'
import { assetIn, decimals, nameIn, symbolIn } from './asset.ts'
import { balance, isHolderAuthorized, receive, spend } from './balances.ts'
import { refuse } from './token-errors.ts'
import { emit, emitTransfer } from './token-events.ts'
import { amountAt, authorize, extendInstance, requireNotIssuer, type TokenFunctions } from './token-function.ts'
import type { Token } from './token-storage.ts'
import { openLine } from './trust.ts'

const requireBurnable = (token: Token, from: xdr.ScAddress): void => {
  if (issuedAsset(assetIn(token.frame)) === undefined) refuse('notSupported', 'operation invalid on native asset')
  requireNotIssuer(token, from)
}

/** A muxed payee is paid like any other account; its id only appears in the event. */
const payeeAt = (
  args: ReadonlyArray<xdr.ScVal>,
  place: number,
): { readonly to: xdr.ScAddress; readonly muxedId?: bigint } => {
  const to = muxableAt(args, place)
  if (to.type !== 'scAddressTypeMuxedAccount') return { to }
  const { ed25519, id } = to.muxedAccount
  return { to: accountAddress(xdr.PublicKey.publicKeyTypeEd25519(ed25519)), muxedId: id }
}

/** The functions for holders: the token interface (SEP-41) and Stellar's additions to it. */
export const holderFunctions: TokenFunctions = {
  allowance: {
    takes: 2,
    run: (token, args) => {
      extendInstance(token)
      return i128(allowanceOf(token, addressAt(args, 0), addressAt(args, 1)))
    },
  },
  approve: {
    takes: 4,
    run: (token, args) => {
      const [from, spender] = [addressAt(args, 0), addressAt(args, 1)]
      const [amount, liveUntil] = [amountAt(args, 2), u32At(args, 3)]
      authorize(token, from)
      allow(token, from, spender, { amount, liveUntil })
      emit(token, 'approve', [from, spender], vec(i128(amount), xdr.ScVal.scvU32(liveUntil)))
      return nothing
    },
  },
  balance: {
    takes: 1,
    run: (token, args) => {
      extendInstance(token)
      return i128(balance(token, addressAt(args, 0)))
    },
  },
  transfer: {
    takes: 3,
    run: (token, args) => {
      const { to, muxedId } = payeeAt(args, 1)
      const [from, amount] = [addressAt(args, 0), amountAt(args, 2)]
      authorize(token, from)
      spend(token, from, amount)
      receive(token, to, amount)
      emitTransfer(token, from, to, amount, muxedId)
      return nothing
    },
  },
  transfer_from: {
    takes: 4,
    run: (token, args) => {
      const [spender, from, to] = [addressAt(args, 0), addressAt(args, 1), addressAt(args, 2)]
      const amount = amountAt(args, 3)
      authorize(token, spender)
      spendAllowance(token, from, spender, amount)
      spend(token, from, amount)
      receive(token, to, amount)
      emitTransfer(token, from, to, amount)
      return nothing
    },
  },
  burn: {
    takes: 2,
    run: (token, args) => {
      const [from, amount] = [addressAt(args, 0), amountAt(args, 1)]
      requireBurnable(token, from)
      authorize(token, from)
      spend(token, from, amount)
      emit(token, 'burn', [from], i128(amount))
      return nothing
    },
  },
  burn_from: {
    takes: 3,
    run: (token, args) => {
      const [spender, from, amount] = [addressAt(args, 0), addressAt(args, 1), amountAt(args, 2)]
      requireBurnable(token, from)
      authorize(token, spender)
      spendAllowance(token, from, spender, amount)
      spend(token, from, amount)
      emit(token, 'burn', [from], i128(amount))
      return nothing
    },
  },
  decimals: { takes: 0, run: () => xdr.ScVal.scvU32(decimals) },
  name: { takes: 0, run: ({ frame }) => nameIn(frame) },
  symbol: { takes: 0, run: ({ frame }) => symbolIn(frame) },
  authorized: {
    takes: 1,
    run: (token, args) => {
      extendInstance(token)
      return xdr.ScVal.scvBool(isHolderAuthorized(token, addressAt(args, 0)))
    },
  },
  trust: {
    takes: 1,
    run: (token, args) => {
      const address = addressAt(args, 0)
      extendInstance(token)
      const agree = () => token.host.authorization.require(address, args)
      if (address.type === 'scAddressTypeAccount') openLine(token, address.accountId, agree)
      return nothing
    },
  },
}
