import type { xdr } from '@stellar/stellar-sdk'
import { hostError } from '../host-error.ts'
import type { Journal } from '../journal.ts'
import type { Meter } from '../meter.ts'
import type { Storage } from '../storage.ts'
import { isSameAddress } from '../values/sc-values.ts'

/** A running call; `contract` is absent where a deployer runs. `callWith` names the call with some arguments. */
export type AuthFrame = {
  readonly contract?: xdr.ScAddress
  readonly callWith: (args: ReadonlyArray<xdr.ScVal>) => xdr.SorobanAuthorizedFunction
}

/** Tracks running calls and checks that addresses have authorized them. */
export interface Authorization {
  readonly enter: (frame: AuthFrame) => void
  readonly leave: () => void
  /** Throws unless the address has authorized the running call with these arguments. */
  readonly require: (address: xdr.ScAddress, args: ReadonlyArray<xdr.ScVal>) => void
  /** The recorded entries, or the supplied ones. */
  readonly entries: () => ReadonlyArray<xdr.SorobanAuthorizationEntry>
}

/** The state that authorization reads and changes. */
export type AuthContext = {
  readonly storage: Storage
  readonly journal: Journal
  readonly meter: Meter
  readonly networkId: Uint8Array
  readonly sequence: number
  readonly source: xdr.PublicKey
}

/** One policy enforces supplied entries, the other records the entries that a call needs. */
export type AuthPolicy = Pick<Authorization, 'entries'> & {
  readonly trackers: () => Iterable<{ readonly enter: () => void; readonly leave: () => void }>
  readonly require: (address: xdr.ScAddress, call: xdr.SorobanAuthorizedFunction, depth: number) => void
}

/** A contract authorizes the calls it makes directly; the policy decides all others. */
export const authorization = (policy: AuthPolicy): Authorization => {
  const frames: AuthFrame[] = []
  return {
    enter: (frame) => {
      frames.push(frame)
      for (const tracker of policy.trackers()) tracker.enter()
    },
    leave: () => {
      frames.pop()
      for (const tracker of policy.trackers()) tracker.leave()
    },
    require: (address, args) => {
      const running = frames.at(-1)
      if (running === undefined) throw hostError('auth', 'internalError', 'nothing is running')
      const caller = frames.at(-2)?.contract
      if (caller !== undefined && isSameAddress(caller, address)) return
      policy.require(address, running.callWith(args), frames.length)
    },
    entries: policy.entries,
  }
}
