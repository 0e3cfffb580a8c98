import type { xdr } from '@stellar/stellar-sdk'
import type * as E from 'fp-ts/lib/Either.js'
import type { LedgerDraft } from '../ledger/draft.ts'

/**
 * `enforce` applies a transaction: only the declared footprint is reachable, every signature must be among `auth`, and
 * `restored` indexes the archived entries of the read-write part that it restores. `record` simulates: it records
 * footprint and authorizations by running. Supplied authorizations are enforced, and then none are recorded.
 * `isAddressBound` asks for signatures that cover their address; `allowsNonRoot` lets trees begin below the first call.
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
 * A host function to run on a draft, which changes only on success. `source` is the operation's source account. Code
 * runs only if its SHA-256 (hex) is among `executables`, by default the mandate contract alone.
 */
export type Invocation = {
  readonly call: xdr.HostFunction
  readonly source: xdr.PublicKey
  readonly draft: LedgerDraft
  readonly network: { readonly id: Uint8Array }
  readonly mode: InvocationMode
  readonly executables?: ReadonlySet<string>
}

/** The host's error, and the operation's result code for it. */
export type InvocationFailure = {
  readonly error: xdr.ScError
  /** The contract's own error number, if it reported one. */
  readonly contractError: number | null
  readonly resultCode: 'trapped' | 'resourceLimitExceeded' | 'entryArchived'
}

/**
 * The resources a call used, as `cost.ts` counts them. `eventBytes` include the return value, as on the network;
 * `rentFee` is in stroops.
 */
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
 * A call's outcome. A failure has no events; diagnostics are always present, and after a failure end with an event
 * named `error`. `footprint` and `auth` are the recorded ones, unsigned, or the supplied ones. `archived` indexes
 * entries of the read-write part that the transaction must restore.
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
