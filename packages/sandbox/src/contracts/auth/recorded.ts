import { randomBytes } from 'node:crypto'
import { xdr } from '@stellar/stellar-sdk'
import { accountKey } from '../../ledger/entry-keys.ts'
import { hostError } from '../host-error.ts'
import { lastLiveUntil } from '../lifetimes.ts'
import { accountAddress, isSameAddress, nothing } from '../values/sc-values.ts'
import type { AuthContext, AuthPolicy } from './authorization.ts'
import { type AuthorizedCall, authorizedCall, invocationOf } from './authorized-calls.ts'
import { spendNonce } from './nonces.ts'
import { type Tracker, tracker } from './tracker.ts'

type Recorded = {
  readonly address: xdr.ScAddress
  readonly credentials: xdr.SorobanCredentials
  readonly tree: AuthorizedCall
  readonly tracker: Tracker
}

const anyNonce = (): bigint => randomBytes(8).readBigUInt64BE() >> 1n

/** Whether recorded signatures cover their address, and whether a tree may begin below the first call. */
export type RecordingOptions = { readonly isAddressBound: boolean; readonly allowsNonRoot: boolean }

/**
 * Accepts every call that requires an address and records the entry that must be signed for it. Signatures are void and
 * expire at ledger 0. Nonces are random and count as spent, so that the footprint holds their entries. Each account
 * signature is metered as a real one would be.
 */
export const recorded = (context: AuthContext, { isAddressBound, allowsNonRoot }: RecordingOptions): AuthPolicy => {
  const { storage, journal, meter, sequence, source } = context
  const all: Recorded[] = []

  const credentialsFor = (address: xdr.ScAddress): xdr.SorobanCredentials => {
    if (isSameAddress(address, accountAddress(source))) return xdr.SorobanCredentials.sorobanCredentialsSourceAccount()
    const nonce = anyNonce()
    spendNonce(storage, sequence, address, nonce, lastLiveUntil(sequence))
    if (address.type === 'scAddressTypeAccount') {
      storage.find(accountKey(address.accountId))
      meter.count('signatures')
    }
    const unsigned = { address, nonce, signatureExpirationLedger: 0, signature: nothing }
    const credentials = new xdr.SorobanAddressCredentials(unsigned)
    return isAddressBound
      ? xdr.SorobanCredentials.sorobanCredentialsAddressV2(credentials)
      : xdr.SorobanCredentials.sorobanCredentialsAddress(credentials)
  }
  const begin = (address: xdr.ScAddress, call: xdr.SorobanAuthorizedFunction, depth: number): void => {
    if (depth > 1 && !allowsNonRoot)
      throw hostError('auth', 'invalidAction', '[recording authorization only] not tied to the root invocation')
    const tree = authorizedCall(call, [], true)
    all.push({ address, credentials: credentialsFor(address), tree, tracker: tracker(tree, journal, depth) })
    journal.note(() => void all.pop())
  }

  return {
    entries: () =>
      all.map(
        ({ credentials, tree }) =>
          new xdr.SorobanAuthorizationEntry({ credentials, rootInvocation: invocationOf(tree) }),
      ),
    trackers: () => all.map((each) => each.tracker),
    require: (address, call, depth) => {
      const running = all.filter((each) => isSameAddress(each.address, address) && each.tracker.isActive())
      const open = running.find((each) => !each.tracker.isMatchedHere())
      if (open !== undefined) return open.tracker.record(call)
      if (running.some((each) => each.address === address))
        throw hostError('auth', 'existingValue', 'frame is already authorized')
      begin(address, call, depth)
    },
  }
}
