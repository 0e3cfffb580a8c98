import type { Billing, BillingFailure, Claim, CommandContext, Principal } from '@quittance/billing'
import type { FastifyRequest } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { HttpError } from './errors.ts'
import { problemOf } from './problems.ts'

export type Answer<A> = TaskEither<BillingFailure, A>

/** The answer, or its failure as an `HttpError`. */
export const answerOf = async <A>(answer: Answer<A>): Promise<A> => {
  const outcome = await answer()
  if (E.isRight(outcome)) return outcome.right
  throw problemOf(outcome.left)
}

/** Who asks. Throws 401 in the words of the interface when nobody says, and for a key that is unknown or revoked. */
export const authenticate = (billing: Billing, request: FastifyRequest): Principal => {
  const key = request.headers['x-api-key']
  if (typeof key !== 'string' || key === '') {
    throw new HttpError(401, 'unauthorized', 'Session Token or API Key or App Token required')
  }
  const principal = billing.merchants.authenticate(key)
  if (O.isNone(principal) || principal.value.kind !== 'secret') {
    throw new HttpError(401, 'invalid_api_key', 'The API key is invalid or revoked')
  }
  return principal.value
}

/**
 * Runs a command once for each idempotency key: under the key's claim, whose end follows from the outcome; without a
 * key, as a command of its own.
 */
export const runCommand = async <A>(
  billing: Billing,
  request: FastifyRequest,
  principal: Principal,
  command: (context: CommandContext) => Answer<A>,
): Promise<A> => {
  const claim = openClaim(billing, request, principal)
  if (claim === null) {
    return answerOf(
      command(contextOf(principal, { commandId: billing.freshId(), at: billing.clock.now(), isFirst: true })),
    )
  }
  let end = claim.release
  try {
    const answer = await answerOf(command(contextOf(principal, claim)))
    end = claim.bind
    return answer
  } catch (error) {
    if (error instanceof HttpError && error.status < 500) end = claim.drop
    throw error
  } finally {
    end()
  }
}

const contextOf = (
  { merchantId, environment, keyId }: Principal,
  {
    commandId,
    at,
    isFirst,
    alongside,
  }: Pick<Claim, 'commandId' | 'at' | 'isFirst'> & Partial<Pick<Claim, 'alongside'>>,
): CommandContext => ({
  merchantId,
  environment,
  commandId,
  correlationId: commandId,
  causationId: null,
  actor: keyId,
  at,
  ...(alongside === undefined ? {} : { alongside }),
  ...(isFirst ? { isFirstRun: true } : {}),
})

const longestKey = 255

const openClaim = (billing: Billing, request: FastifyRequest, { merchantId, environment }: Principal): Claim | null => {
  const key = request.headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key !== 'string' || key === '' || key.length > longestKey) {
    throw new HttpError(400, 'invalid_idempotency_key', `An idempotency key has 1 to ${longestKey} characters`)
  }
  const requestHash = billing.requestHash([request.method, request.url, request.bodyText])
  const claimed = billing.claims.open({ merchantId, environment, key, requestHash })
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
