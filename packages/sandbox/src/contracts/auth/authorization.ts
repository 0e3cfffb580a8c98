import type { xdr } from '@stellar/stellar-sdk'
import { hostError } from '../host-error.ts'
import type { Journal } from '../journal.ts'
import type { Meter } from '../meter.ts'
import type { Storage } from '../storage.ts'
import { isSameAddress } from '../values/sc-values.ts'

/** A running call, as somebody would agree to it with these arguments. `contract` is who runs, if it is a contract. */
export type AuthFrame = {
  readonly contract?: xdr.ScAddress
  readonly callWith: (args: ReadonlyArray<xdr.ScVal>) => xdr.SorobanAuthorizedFunction
}

/** Who has agreed to what is running. */
export interface Authorization {
  readonly enter: (frame: AuthFrame) => void
  readonly leave: () => void
  /** Throws unless the address has agreed to the running call with these arguments. */
  readonly require: (address: xdr.ScAddress, args: ReadonlyArray<xdr.ScVal>) => void
  /** What has to be agreed to, or was given as agreed. */
  readonly entries: () => ReadonlyArray<xdr.SorobanAuthorizationEntry>
}

/** What agreeing touches. */
export type AuthContext = {
  readonly storage: Storage
  readonly journal: Journal
  readonly meter: Meter
  readonly networkId: Uint8Array
  readonly sequence: number
  readonly source: xdr.PublicKey
}

/** How calls are followed and asked for: one way when it counts, another while recording. */
export type AuthPolicy = Pick<Authorization, 'entries'> & {
  readonly trackers: () => Iterable<{ readonly enter: () => void; readonly leave: () => void }>
  readonly require: (address: xdr.ScAddress, call: xdr.SorobanAuthorizedFunction, depth: number) => void
}

/** A contract agrees to whatever it calls directly; everything else is for the policy. */
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
