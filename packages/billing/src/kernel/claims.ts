import type { Environment, UnixMs } from '@quittance/domain'
import type { Alongside } from '@quittance/event-store'
import type { Either } from 'fp-ts/lib/Either.js'

/** A request with an idempotency key. `requestHash` covers method, path, query and body bytes. */
export type KeyedRequest = {
  readonly merchantId: string
  readonly environment: Environment
  readonly key: string
  readonly requestHash: string
}

/** Why a request with an idempotency key is not carried out. */
export type ClaimRejection =
  | { readonly _tag: 'IdempotencyKeyReused' }
  /** The same request is under way. */
  | { readonly _tag: 'RequestInProgress'; readonly retryAfterSeconds: number }

/** Another request took the idempotency key first, or another process completed the same one first. */
export type ClaimLost = { readonly _tag: 'ClaimLost' }

/** The stream and its last revision (-1: no events) from which a command that wrote no event was answered. */
export type AnsweredFrom = { readonly commandId: string; readonly stream: string; readonly revision: bigint }

/**
 * A request's lease of its key. The command id and time are the same on every retry, so that a retry has the same outcome.
 * `alongside` writes the claim in the transaction of the first append. One of three ends follows: `bind` after a success,
 * `drop` after a rejection (the key is free again), `release` after a failure (the claim stands, and a retry may follow at
 * once). A bound key stays bound: the ends of a retry's claim do nothing.
 */
export type Claim = {
  readonly commandId: string
  readonly at: UnixMs
  /** Whether nobody has run the command before. */
  readonly isFirst: boolean
  readonly answeredFrom: AnsweredFrom | null
  /** Notes from where the command is answered now; ignores other commands. Written with the claim. */
  readonly answerFrom: (from: AnsweredFrom) => void
  readonly alongside: Alongside
  readonly bind: () => Promise<Either<ClaimLost, void>>
  readonly drop: () => Promise<void>
  readonly release: () => Promise<void>
}

/** The requests with idempotency keys, each of which takes effect once. */
export interface Claims {
  readonly open: (request: KeyedRequest) => Promise<Either<ClaimRejection, Claim>>
  /** Forgets the keys of requests that wrote nothing and are older than 30 days. The others stay bound for ever. */
  readonly purge: () => Promise<void>
}

/** Thrown inside an append's transaction when another request took the key first, so that the append is refused. */
export class ClaimTaken extends Error {
  override readonly name = 'ClaimTaken'
}
