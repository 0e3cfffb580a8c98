import type { Billing, CommandContext } from '@quittance/billing'
import { hourMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Process } from './scheduler.ts'
import type { Stage } from './stage.ts'

type Failure = { readonly _tag: string }
type Command = (billing: Billing, context: CommandContext) => Promise<E.Either<Failure, string>>

/**
 * A command of the merchant under an idempotency key, which is sent until it is answered, and now and then once more.
 * `answers`: the id of what it made, or why it was refused, each time. `isOpen`: it was sent again since the last answer, as
 * one that was refused may be, and has made something that nobody knows of.
 */
export type Request = {
  readonly key: string
  readonly command: Command
  readonly since: number
  sentTo: Process | null
  isOpen: boolean
  readonly answers: Array<string>
}

/** Keys are kept for thirty days: whoever has no answer by then, asks no more. */
const keptMs = 29 * 24 * hourMs

/** What the service answers with a status of its own trouble, or with 409 while another works on it: ask again. */
const transient: ReadonlySet<string> = new Set([
  'RequestInProgress',
  'ClaimLost',
  'StoreUnavailable',
  'OutcomeUnknown',
  'TooManyConflicts',
  'LedgerUnreachable',
  'RateUnavailable',
])

/** Runs a command as the HTTP service does: under the claim of its key, whose end follows from the outcome. */
const run = async (
  billing: Billing,
  merchantId: string,
  { key, command }: Request,
): Promise<E.Either<Failure, string>> => {
  const environment = 'testnet' as const
  const claimed = billing.claims.open({ merchantId, environment, key, requestHash: key })
  if (E.isLeft(claimed)) return claimed
  const { commandId, at, isFirst, alongside, answeredFrom, answerFrom, bind, drop, release } = claimed.right
  const outcome = await command(billing, {
    merchantId,
    environment,
    commandId,
    correlationId: commandId,
    causationId: null,
    actor: 'client',
    at,
    alongside,
    answerFrom,
    ...(answeredFrom && { answeredFrom }),
    ...(isFirst && { isFirstRun: true }),
  })
  if (E.isRight(outcome)) {
    const bound = bind()
    return E.isLeft(bound) ? bound : outcome
  }
  if (transient.has(outcome.left._tag)) release()
  else drop()
  return outcome
}

/** What clients have asked of the service under a key. */
export const openRequests = (stage: Stage) => {
  const { scheduler, note, fixture, network } = stage
  const requests: Array<Request> = []

  const isTooLate = ({ since }: Request): boolean => network.now() - since > keptMs
  const send = (request: Request): void => {
    if (request.sentTo?.isAlive === true || isTooLate(request)) return
    const { process, billing } = stage.anyServer()
    request.sentTo = process
    request.isOpen = true
    scheduler.start(
      process,
      request.key,
      () => run(billing, fixture.merchantId, request),
      (outcome) => {
        request.sentTo = null
        const answer = E.isRight(outcome) ? outcome.right : outcome.left._tag
        note(`${request.key} is answered: ${answer}`)
        if (transient.has(answer)) return
        request.answers.push(answer)
        request.isOpen = false
      },
    )
  }
  return {
    requests,
    /** Sends a new request; `answerOf` notes what it made. */
    put: <A>(
      wanted: string,
      command: (billing: Billing, context: CommandContext) => TaskEither<Failure, A>,
      answerOf: (made: A) => string = () => 'done',
    ): Request => {
      const key = `request-${requests.length} for ${wanted}`
      const request: Request = {
        key,
        command: async (billing, context) => {
          const outcome = await command(billing, context)()
          return E.isLeft(outcome) ? outcome : E.right(answerOf(outcome.right))
        },
        since: network.now(),
        sentTo: null,
        isOpen: true,
        answers: [],
      }
      requests.push(request)
      send(request)
      return request
    },
    send,
    unanswered: () => requests.filter((request) => request.isOpen && !isTooLate(request)),
    /** Those that nobody asks for any more, and nobody was answered. */
    givenUp: () => requests.filter((request) => request.answers.length === 0 && isTooLate(request)),
  }
}

export type Requests = ReturnType<typeof openRequests>
