import type { xdr } from '@stellar/stellar-sdk'
import type { Frame, Host } from '../host.ts'
import { hostError } from '../host-error.ts'
import { holderFunctions } from './holder-functions.ts'
import { issuerFunctions } from './issuer-functions.ts'
import type { TokenFunctions } from './token-function.ts'

const functions: TokenFunctions = { ...holderFunctions, ...issuerFunctions }

/** Runs the network's built-in token contract. */
export const runToken = (host: Host, frame: Frame): xdr.ScVal => {
  const found = Object.hasOwn(functions, frame.name) ? functions[frame.name] : undefined
  if (found === undefined) throw hostError('context', 'missingValue', 'calling unknown contract function')
  if (frame.args.length !== found.takes) throw hostError('context', 'unexpectedSize', 'another number of arguments')
  return found.run({ host, frame }, frame.args)
}
