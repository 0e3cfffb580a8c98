import {
  type Billing,
  type BillingFailure,
  type Claim,
  type CommandContext,
  correlationNow,
  type Principal,
} from '@quittance/billing'
import { isStoreFailure, whenUnlocked } from '@quittance/event-store/sqlite'
import type { FastifyRequest } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { principalOf } from './auth.ts'
import { HttpError } from './errors.ts'
import type { Fields } from './problems/problem.ts'
import { problemOf } from './problems.ts'
import { isRepeated } from './repeated-header.ts'

/** A task of `Billing`, which `answerOf` and `runCommand` alone run. */
export type BillingTask<A> = TaskEither<BillingFailure, A>

/** Runs a task. Throws its failure as an `HttpError`; `fields` maps subjects of failures to fields of the request. */
export const answerOf = async <A>(answer: BillingTask<A>, fields: Fields = {}): Promise<A> => {
  const outcome = await answer()
  if (E.isRight(outcome)) return outcome.right
  throw problemOf(outcome.left, fields)
}

/** The answer to a removal. */
export const removed =
  <Named>(removal: BillingTask<unknown>, named: Named): BillingTask<Named & { readonly deleted: true }> =>
  async () =>
    E.map(() => ({ ...named, deleted: true as const }))(await removal())

/**
 * Runs a command once for each idempotency key, under a claim that ends by the outcome; without a key, as a fresh
 * command. `command` reads the body and throws 400 when it is malformed. That comes after the claim, because a reused
 * key is refused before the body is judged; nothing is begun then, and the claim is released.
 */
export const runCommand = async <A>(
  billing: Billing,
  request: FastifyRequest,
  command: (context: CommandContext) => BillingTask<A>,
  fields: Fields = {},
): Promise<A> => {
  const principal = principalOf(request)
  const claim = await openClaim(billing, request, principal)
  if (claim === null) {
    const fresh = { commandId: billing.freshId(), at: billing.clock.now(principal.environment), isFirst: true }
    return answerOf(command(contextOf(principal, fresh)), fields)
  }
  const run = (under: Claim) => runUnder(under, () => command(contextOf(principal, under))(), fields)
  const outcome = await run(claim)
  if (E.isRight(outcome)) return outcome.right
  // Another server took the key first. Its claim says whether to wait, or resumes its command to the same answer.
  return answerOf(async () => run((await openClaim(billing, request, principal)) ?? claim), fields)
}

type ClaimLost = Extract<BillingFailure, { readonly _tag: 'ClaimLost' }>

/** Runs a command, and ends its claim by the outcome. Throws every failure but the loss of the claim. */
const runUnder = async <A>(
  claim: Claim,
  command: () => Promise<E.Either<BillingFailure, A>>,
  fields: Fields,
): Promise<E.Either<ClaimLost, A>> => {
  let end = claim.release
  try {
    const outcome = await command()
    if (E.isRight(outcome)) {
      end = async () => undefined
      return E.map(() => outcome.right)(await whenUnlocked(claim.bind))
    }
    const failure = outcome.left
    if (failure._tag === 'ClaimLost') return E.left(failure)
    const problem = problemOf(failure, fields)
    if (problem.status < 500) end = claim.drop
    throw problem
  } finally {
    await endIfWritable(end)
  }
}

/** A claim that cannot be ended now ends with its lease. */
const endIfWritable = async (end: () => Promise<void>): Promise<void> => {
  try {
    await end()
  } catch (cause) {
    if (!isStoreFailure(cause)) throw cause
  }
}

type Given = Pick<Claim, 'commandId' | 'at' | 'isFirst'> &
  Partial<Pick<Claim, 'alongside' | 'answeredFrom' | 'answerFrom'>>

const contextOf = (
  { merchantId, environment, keyId }: Principal,
  { commandId, at, isFirst, alongside, answeredFrom, answerFrom }: Given,
): CommandContext => ({
  merchantId,
  environment,
  commandId,
  correlationId: correlationNow(commandId),
  causationId: null,
  actor: keyId,
  at,
  ...(alongside && { alongside }),
  ...(answeredFrom && { answeredFrom }),
  ...(answerFrom && { answerFrom }),
  ...(isFirst && { isFirstRun: true }),
})

const header = 'idempotency-key'
const longestKey = 255

/**
 * The claim of a request with an idempotency key. The key of an app token is good for its scopes alone, so that no token
 * repeats what was answered to another credential; a token's successor has the same scopes.
 */
const openClaim = async (billing: Billing, request: FastifyRequest, principal: Principal): Promise<Claim | null> => {
  const { merchantId, environment, kind, scopes } = principal
  const key = request.headers[header]
  if (key === undefined) return null
  const isOne = typeof key === 'string' && !isRepeated(request, header)
  if (!isOne || key === '' || key.length > longestKey) {
    throw new HttpError(400, 'invalid_idempotency_key', `Send one idempotency key, of 1 to ${longestKey} characters`)
  }
  const requestHash = await billing.requestHash([
    request.method,
    request.url,
    request.bodyText,
    ...(kind === 'app' ? [[...scopes].sort().join()] : []),
  ])
  const claimed = await whenUnlocked(() => billing.claims.open({ merchantId, environment, key, requestHash }))
  if (E.isRight(claimed)) return claimed.right
  switch (claimed.left._tag) {
    case 'IdempotencyKeyReused':
      throw new HttpError(422, 'idempotency_key_reused', 'The idempotency key was used for another request')
    case 'RequestInProgress':
      throw new HttpError(409, 'request_in_progress', 'The same request is being worked on', {
        retryAfterSeconds: claimed.left.retryAfterSeconds,
      })
  }
}
