import { xdr } from '@stellar/stellar-sdk'
import { issuedAsset } from '../../ledger/assets.ts'
import { instanceKey } from '../contract-entries.ts'
import type { Frame, Host } from '../host.ts'
import { hostError } from '../host-error.ts'
import { accountAddress, addressValue, i128, nothing, vec } from '../values/sc-values.ts'
import { allow, allowanceOf, spendAllowance } from './allowances.ts'
import { announce, announceTransfer } from './announcements.ts'
import { addressAt, boolAt, bytesAt, i128At, muxableAt, u32At } from './arguments.ts'
import { adminIn, assetIn, decimals, initializeAsset, isInitialized, nameIn, setAdmin, symbolIn } from './asset.ts'
import {
  balance,
  isHolderAuthorized,
  receive,
  requireClawbackFrom,
  setAuthorized,
  spend,
  takeBack,
} from './balances.ts'
import { isIssuerOf } from './issuer.ts'
import { instanceExtendTo, instanceThreshold } from './lifetimes.ts'
import { refuse } from './token-errors.ts'
import type { Token } from './token-storage.ts'
import { openLine } from './trust.ts'

type Arguments = ReadonlyArray<xdr.ScVal>
type TokenFunction = { readonly takes: number; readonly run: (token: Token, args: Arguments) => xdr.ScVal }

const amountAt = (args: Arguments, place: number): bigint => {
  const amount = i128At(args, place)
  return amount < 0n ? refuse('negativeAmount', 'negative amount is not allowed') : amount
}

const authorize = ({ host, frame }: Token, address: xdr.ScAddress): void => {
  host.authorization.require(address, frame.args)
  stayAlive({ host, frame })
}

const stayAlive = ({ host, frame }: Token): void =>
  host.storage.extend(instanceKey(frame.contract), instanceThreshold, instanceExtendTo)

const requireBurnable = (token: Token, from: xdr.ScAddress): void => {
  if (issuedAsset(assetIn(token.frame)) === undefined) refuse('notSupported', 'operation invalid on native asset')
  requireNotIssuer(token, from)
}

const requireNotIssuer = (token: Token, address: xdr.ScAddress): void => {
  if (isIssuerOf(token, address)) refuse('notSupported', 'operation invalid on issuer')
}

/** A payee with an id for its books is an account like any other; the id is only announced. */
const payeeAt = (args: Arguments, place: number): { readonly to: xdr.ScAddress; readonly muxedId?: bigint } => {
  const to = muxableAt(args, place)
  if (to.type !== 'scAddressTypeMuxedAccount') return { to }
  const { ed25519, id } = to.muxedAccount
  return { to: accountAddress(xdr.PublicKey.publicKeyTypeEd25519(ed25519)), muxedId: id }
}

/** The functions of a token contract, in the order of the token interface (SEP-41), then the issuer's. */
const functions: Readonly<Record<string, TokenFunction>> = {
  allowance: {
    takes: 2,
    run: (token, args) => {
      stayAlive(token)
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
      announce(token, 'approve', [from, spender], vec(i128(amount), xdr.ScVal.scvU32(liveUntil)))
      return nothing
    },
  },
  balance: {
    takes: 1,
    run: (token, args) => {
      stayAlive(token)
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
      announceTransfer(token, from, to, amount, muxedId)
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
      announceTransfer(token, from, to, amount)
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
      announce(token, 'burn', [from], i128(amount))
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
      announce(token, 'burn', [from], i128(amount))
      return nothing
    },
  },
  decimals: { takes: 0, run: () => xdr.ScVal.scvU32(decimals) },
  name: { takes: 0, run: ({ frame }) => nameIn(frame) },
  symbol: { takes: 0, run: ({ frame }) => symbolIn(frame) },
  authorized: {
    takes: 1,
    run: (token, args) => {
      stayAlive(token)
      return xdr.ScVal.scvBool(isHolderAuthorized(token, addressAt(args, 0)))
    },
  },
  trust: {
    takes: 1,
    run: (token, args) => {
      const address = addressAt(args, 0)
      stayAlive(token)
      const agree = () => token.host.authorization.require(address, args)
      if (address.type === 'scAddressTypeAccount') openLine(token, address.accountId, agree)
      return nothing
    },
  },
  admin: { takes: 0, run: ({ frame }) => addressValue(adminIn(frame)) },
  set_admin: {
    takes: 1,
    run: (token, args) => {
      const [admin, next] = [adminIn(token.frame), addressAt(args, 0)]
      authorize(token, admin)
      setAdmin(token.frame, next)
      announce(token, 'set_admin', [admin], addressValue(next))
      return nothing
    },
  },
  set_authorized: {
    takes: 2,
    run: (token, args) => {
      const [address, isAllowed] = [addressAt(args, 0), boolAt(args, 1)]
      authorize(token, adminIn(token.frame))
      setAuthorized(token, address, isAllowed)
      announce(token, 'set_authorized', [address], xdr.ScVal.scvBool(isAllowed))
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
      announce(token, 'mint', [to], i128(amount))
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
      announce(token, 'clawback', [from], i128(amount))
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

/** Runs the contract that the network has built in for each asset. */
export const runToken = (host: Host, frame: Frame): xdr.ScVal => {
  const found = Object.hasOwn(functions, frame.name) ? functions[frame.name] : undefined
  if (found === undefined) throw hostError('context', 'missingValue', 'calling unknown contract function')
  if (frame.args.length !== found.takes) throw hostError('context', 'unexpectedSize', 'another number of arguments')
  return found.run({ host, frame }, frame.args)
}
