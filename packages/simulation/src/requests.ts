import type { Billing, CommandContext } from '@quittance/billing'
import { hourMs, type MerchantId } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Process } from './scheduler.ts'
import { isRolledBack, refusal, type Stage } from './stage.ts'

type Failure = { readonly _tag: string }
type Command = (billing: Billing, context: CommandContext) => Promise<E.Either<Failure, string>>

/**
 * A merchant's command under an idempotency key. It is sent until it is answered, and sometimes again. `answers` holds
 * each answer: the id it made, or the refusal. `isOpen` says that it was sent again since the last answer and may have
 * made something unknown.
 */
export type Request = {
  readonly key: string
  readonly merchantId: MerchantId
  readonly command: Command
  readonly since: number
  sentTo: Process | null
  isOpen: boolean
  /** Its merchant was closed before it was answered. */
  isGivenUp: boolean
  readonly answers: Array<string>
}

/** Keys live for thirty days, so clients stop asking before that. */
const keptMs = 29 * 24 * hourMs

/**
 * Failures after which a client asks again: those with a 5xx status, and 409 while another request works on the key.
 */
const transient: ReadonlySet<string> = new Set([
  'RequestInProgress',
  'ClaimLost',
  'StoreUnavailable',
  'OutcomeUnknown',
  'TooManyConflicts',
  'LedgerUnreachable',
  'RateUnavailable',
  'Withheld',
  'SalesFrozen',
  'MerchantSuspended',
])

const closed = 'MerchantClosed'

/** Runs a command as the HTTP service does: under the claim of its key, which the outcome ends. */
const run = async (billing: Billing, { key, merchantId, command }: Request): Promise<E.Either<Failure, string>> => {
  if (isRolledBack(billing)) return refusal
  const refused = await billing.freezes.refusalOf({ merchantId, environment: 'testnet' })()
  if (E.isLeft(refused)) return refused
  if (refused.right !== null) return E.left({ _tag: refused.right === 'closed' ? closed : 'MerchantSuspended' })
  const environment = 'testnet' as const
  const claimed = await billing.claims.open({ merchantId, environment, key, requestHash: key })
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
    const bound = await bind()
    return E.isLeft(bound) ? bound : outcome
  }
  if (transient.has(outcome.left._tag)) await release()
  else await drop()
  return outcome
}

/** How many answers each request had, and whether it was open. */
type RememberedRequests = ReadonlyMap<Request, Pick<Request, 'isOpen'> & { readonly answered: number }>

/** All requests of clients under a key. */
export const openRequests = (stage: Stage) => {
  const { scheduler, note, fixture, network } = stage
  const requests: Array<Request> = []
  let keys = 0

  const closings = fixture.log.prepare("SELECT 1 FROM events WHERE type = 'MerchantClosingBegun'")
  const isAnyClosing = (): boolean => closings.get() !== undefined
  const isTooLate = ({ since }: Request): boolean => network.now() - since > keptMs
  const send = (request: Request): void => {
    if (request.sentTo?.isAlive === true || isTooLate(request)) return
    const { process, billing, checked } = stage.anyServer()
    request.sentTo = process
    request.isOpen = true
    scheduler.start(
      process,
      request.key,
      () => (stage.isPutBack() ? checked() : Promise.resolve()).then(() => run(billing, request)),
      (outcome) => {
        request.sentTo = null
        const answer = E.isRight(outcome) ? outcome.right : outcome.left._tag
        note(`${request.key} is answered: ${answer}`)
        // A merchant who closes sells nothing any more, and in the end changes nothing.
        if (answer === closed || (answer === 'SalesFrozen' && isAnyClosing())) {
          request.isGivenUp = true
          request.isOpen = false
          return
        }
        if (transient.has(answer)) return
        request.answers.push(answer)
        request.isOpen = false
      },
    )
  }
  return {
    requests,
    /** Sends a new request of a merchant; `answerOf` notes what it made. */
    put: <A>(
      wanted: string,
      command: (billing: Billing, context: CommandContext) => TaskEither<Failure, A>,
      answerOf: (made: A) => string = () => 'done',
      merchantId: MerchantId = fixture.merchantId,
    ): Request => {
      const key = `request-${keys} for ${wanted}`
      keys += 1
      const request: Request = {
        key,
        merchantId,
        command: async (billing, context) => {
          const outcome = await command(billing, context)()
          return E.isLeft(outcome) ? outcome : E.right(answerOf(outcome.right))
        },
        since: network.now(),
        sentTo: null,
        isOpen: true,
        isGivenUp: false,
        answers: [],
      }
      requests.push(request)
      send(request)
      return request
    },
    send,
    remember: (): RememberedRequests =>
      new Map(requests.map((each) => [each, { isOpen: each.isOpen, answered: each.answers.length }])),
    /**
     * Forgets the answers since `known`, which a service that was put back does not know either. Clients repeat what is
     * unanswered then; of younger requests they repeat half.
     */
    forget: (known: RememberedRequests): void => {
      const kept = requests.filter((request) => known.has(request) || stage.random.onceIn(2))
      requests.splice(0, requests.length, ...kept)
      for (const request of requests) {
        const { isOpen, answered } = known.get(request) ?? { isOpen: true, answered: 0 }
        request.answers.splice(answered)
        request.isOpen = isOpen
      }
    },
    unanswered: () => requests.filter((request) => request.isOpen && !isTooLate(request)),
    /** Requests that were never answered before their clients stopped asking, or their merchant was closed. */
    givenUp: () =>
      requests.filter((request) => request.answers.length === 0 && (isTooLate(request) || request.isGivenUp)),
  }
}

export type Requests = ReturnType<typeof openRequests>
