import type { xdr } from '@stellar/stellar-sdk'
import type * as E from 'fp-ts/lib/Either.js'
import type { LedgerDraft } from '../ledger/draft.ts'

/**
 * How a call is run. `enforce` is a transaction in a ledger: entries outside the declared footprint are out of reach,
 * and every signature must be among `auth`. `restored` are indexes in the read-write part: archived entries that the
 * transaction restores. `record` is a simulation: what it takes is found out by running. Authorisations given there
 * are enforced as well, and none is then recorded. Recorded signatures are to be over their address as well where
 * `isAddressBound`, and may begin below the first call where `allowsNonRoot`.
 */
export type InvocationMode =
  | {
      readonly _tag: 'enforce'
      readonly footprint: xdr.LedgerFootprint
      readonly auth: ReadonlyArray<xdr.SorobanAuthorizationEntry>
      readonly restored: ReadonlyArray<number>
    }
  | {
      readonly _tag: 'record'
      readonly auth?: ReadonlyArray<xdr.SorobanAuthorizationEntry>
      readonly isAddressBound?: boolean
      readonly allowsNonRoot?: boolean
    }

/**
 * A host function to run on a draft, which is written only when the outcome is a success. `source` is the operation's:
 * source-account credentials are its. Code is run only if its SHA-256 (hex) is among `executables`: the
 * mandate contract's, unless told otherwise.
 */
export type Invocation = {
  readonly call: xdr.HostFunction
  readonly source: xdr.PublicKey
  readonly draft: LedgerDraft
  readonly network: { readonly id: Uint8Array }
  readonly mode: InvocationMode
  readonly executables?: ReadonlySet<string>
}

/** Why a call failed: the host's error, and the code of the operation's result that goes with it. */
export type InvocationFailure = {
  readonly error: xdr.ScError
  /** The number, where a contract refused by one of its own. */
  readonly contractError: number | null
  readonly resultCode: 'trapped' | 'resourceLimitExceeded' | 'entryArchived'
}

/** What a call used, by `cost.ts`. Its answer counts among `eventBytes`, as on the network. `rentFee` in stroops. */
export type InvocationCost = {
  readonly instructions: number
  readonly readEntries: number
  readonly writeEntries: number
  readonly readBytes: number
  readonly writeBytes: number
  readonly eventBytes: number
  readonly rentFee: bigint
}

/**
 * What became of a call. Events are empty after a failure; diagnostics are there either way, and end with an event
 * named `error` after a failure. `footprint` and `auth` are what was recorded, unsigned, or what was given.
 * `archived` are indexes in the read-write part: entries that the transaction must restore.
 */
export type InvocationOutcome = {
  readonly result: E.Either<InvocationFailure, xdr.ScVal>
  readonly events: ReadonlyArray<xdr.ContractEvent>
  readonly diagnostics: ReadonlyArray<xdr.DiagnosticEvent>
  readonly footprint: xdr.LedgerFootprint
  readonly auth: ReadonlyArray<xdr.SorobanAuthorizationEntry>
  readonly archived: ReadonlyArray<number>
  readonly cost: InvocationCost
}
