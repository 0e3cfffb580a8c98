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

export type ClaimRejection =
  /** The key belongs to another request. */
  | { readonly _tag: 'IdempotencyKeyReused' }
  /** The same request is being worked on; ask again after so many seconds. */
  | { readonly _tag: 'RequestInProgress'; readonly retryAfterSeconds: number }

/** Another request has taken the idempotency key first, or the same one was answered first by another process. */
export type ClaimLost = { readonly _tag: 'ClaimLost' }

/** A stream as it was up to and with a revision (-1: without events), from which a command was answered that wrote none. */
export type AnsweredFrom = { readonly commandId: string; readonly stream: string; readonly revision: bigint }

/**
 * A request's hold on its key. The command id and time are the same on every retry, so that a retry drives the command
 * to the same end. `alongside` writes the claim in the transaction of the first append. One of the three ends follows:
 * `bind` after a success, `drop` after a rejection (the key is free again), `release` after a failure (it stands, and
 * the retry may come at once). Once a key is bound nothing frees it: of a retry's claim, the ends do nothing.
 */
export type Claim = {
  readonly commandId: string
  readonly at: UnixMs
  /** Whether the key was free: nobody has run its command before. */
  readonly isFirst: boolean
  /** From where the command was answered before, if it wrote no event. */
  readonly answeredFrom: AnsweredFrom | null
  /** Notes from where it is answered now; another command's step is none of its business. Written with the claim. */
  readonly answerFrom: (from: AnsweredFrom) => void
  readonly alongside: Alongside
  readonly bind: () => Either<ClaimLost, void>
  readonly drop: () => void
  readonly release: () => void
}

export interface Claims {
  readonly open: (request: KeyedRequest) => Either<ClaimRejection, Claim>
  /** Forgets the keys of requests older than 30 days. */
  readonly purge: () => void
}

/** Thrown inside an append's transaction when another request took the key first: that append is refused. */
export class ClaimTaken extends Error {
  override readonly name = 'ClaimTaken'
}
