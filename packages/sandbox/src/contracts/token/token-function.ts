import type { xdr } from '@stellar/stellar-sdk'
import { instanceKey } from '../contract-entries.ts'
import { i128At } from './arguments.ts'
import { isIssuerOf } from './issuer.ts'
import { instanceExtendTo, instanceThreshold } from './lifetimes.ts'
import { refuse } from './token-errors.ts'
import type { Token } from './token-storage.ts'

type Arguments = ReadonlyArray<xdr.ScVal>

/** A token's functions by name, each with its number of arguments. */
export type TokenFunctions = Readonly<
  Record<string, { readonly takes: number; readonly run: (token: Token, args: Arguments) => xdr.ScVal }>
>

export const amountAt = (args: Arguments, place: number): bigint => {
  const amount = i128At(args, place)
  return amount < 0n ? refuse('negativeAmount', 'negative amount is not allowed') : amount
}

export const extendInstance = ({ host, frame }: Token): void =>
  host.storage.extend(instanceKey(frame.contract), instanceThreshold, instanceExtendTo)

export const authorize = (token: Token, address: xdr.ScAddress): void => {
  token.host.authorization.require(address, token.frame.args)
  extendInstance(token)
}

export const requireNotIssuer = (token: Token, address: xdr.ScAddress): void => {
  if (isIssuerOf(token, address)) refuse('notSupported', 'operation invalid on issuer')
}
