import {
  asText,
  type Environment,
  Exception,
  type ExceptionCommand,
  type ExceptionDetails,
  ExceptionId,
  type LogAcceptance,
  type MoneyReturn,
  ReturnId,
} from '@quittance/domain'
import { type ExceptionRow, type Found, isWaiting, type Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { createdId, derivedCommandId } from '../../kernel/derive.ts'
import { stepUnless } from '../../kernel/step.ts'
import { processActor, stepContextOf } from '../../kernel/step-context.ts'
import { eachIsolated } from '../../services/each-isolated.ts'
import { isUpToDate } from '../../services/is-up-to-date.ts'
import { type Owners, ownersIn } from '../../services/owners.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import { isRateMissing } from '../checkouts/judge-with-quote.ts'
import type { Raise } from '../outgoing/trouble.ts'
import { type DustLimits, dustLimits } from '../payments/dust-limits.ts'
import { isUnknownLumens, ownWay } from '../payments/misfit-rules.ts'
import { sendsAtAfterRestores } from '../refunds/named-destination.ts'
import { loadCheckout, resumeApplication } from './apply.ts'
import { checkReturn, isReturnUnfit, sendBack, undecidedOf } from './send-back.ts'
import type { ExceptionServices } from './services.ts'
import { unknownLumensOf } from './unknown-lumens.ts'

/** Each new exception asks the ledger: so few at a time that a flood of them delays nothing else for long. */
const [mostAtOnce, mostOfMerchant] = [100, 20]

/**
 * Brings an environment's exceptions forward: applies the rules to new ones, and resumes what has started, since a crash may
 * have come after any step. Raises the oldest of those that have waited too long for a person.
 */
export const resumeExceptions = async (
  services: ExceptionServices,
  raise: Raise,
  environment: Environment,
): Promise<E.Either<ProcessFailure, void>> => {
  const { exceptions } = services.readModels
  const ownerOf = ownersIn(services, environment)
  const limitOf = dustLimits(services)
  return eachIsolated(services, environment, {
    loop: 'exceptions',
    items: untilOneWaits(exceptions.due(environment, services.clock.now(environment)), raise),
    again: async ({ id }) => {
      const found = await exceptions.withId(id)
      return found === null || found.row.status === 'resolved' || isWaiting(found.row) ? null : found
    },
    isInTurn: someOfEach(isUpToDate(services)),
    work: (found) => resume(services, ownerOf, limitOf, found),
  })
}

/**
 * Lets through all that have started, and a limited number of new ones, of each merchant and in total; none of a merchant
 * whose ledgers are not placed yet, since one of these may hold the return.
 */
const someOfEach = (isPlaced: (scope: Scope) => Promise<boolean>) => {
  const looked = new Map<string, number>()
  let all = 0
  return async (found: Found<ExceptionRow>): Promise<boolean> => {
    const { merchantId, row } = found
    if (!(await isPlaced(found))) return false
    const own = looked.get(merchantId) ?? 0
    if (row.status !== 'open') return true
    if (own === mostOfMerchant || all === mostAtOnce) return false
    looked.set(merchantId, own + 1)
    all += 1
    return true
  }
}

/** Those that can be brought forward; those that wait for a person come after them, and the first is raised. */
async function* untilOneWaits(
  due: AsyncIterable<Found<ExceptionRow>>,
  raise: Raise,
): AsyncGenerator<Found<ExceptionRow>> {
  for await (const found of due) {
    if (isWaiting(found.row)) {
      raise({ _tag: 'ExceptionWaits', exceptionId: decodeOrThrow(ExceptionId, found.id) })
      return
    }
    yield found
  }
}

const resume = async (
  services: ExceptionServices,
  ownerOf: Owners,
  limitOf: DustLimits,
  { id, merchantId, environment, row }: Found<ExceptionRow>,
): Promise<E.Either<ProcessFailure, unknown>> => {
  const scope = { merchantId, environment }
  const exceptionId = decodeOrThrow(ExceptionId, id)
  if (row.status === 'applying') return applyOnceRated(services, scope, exceptionId, row, row.application)
  const { moneyReturn } = row
  if (moneyReturn === null) return goOwnWay(services, ownerOf, limitOf, scope, exceptionId, row)
  // Once its intent is recorded, the worker brings it to its end and tells the exception.
  if ((await services.readModels.intents.withKey(moneyReturn.returnId)).length > 0) return E.right(undefined)
  const mayGo = await endWait(services, scope, exceptionId, moneyReturn)
  if (E.isLeft(mayGo) || !mayGo.right) return mayGo
  return sendBack(services, scope, exceptionId, row.details, moneyReturn)
}

/** A person or another process was first. */
const waitDecidedOtherwise = ['ReturnNotStarted', 'ReturnNotWaiting', 'ReturnWaits'] as const

/**
 * Ends the wait of a return when its time has come: its stream decides between this and a cancellation. False if it waits
 * on, or was canceled.
 */
const endWait = async (
  services: ExceptionServices,
  scope: Scope,
  id: ExceptionId,
  { returnId, sendsAt: known }: MoneyReturn,
): Promise<E.Either<ProcessFailure, boolean>> => {
  if (known === undefined) return E.right(true)
  const now = services.clock.now(scope.environment)
  if (now < known) return E.right(false)
  const sendsAt = await sendsAtAfterRestores(services, known)
  if (E.isLeft(sendsAt)) return sendsAt
  const isPostponed = sendsAt.right > known
  const command: ExceptionCommand = isPostponed
    ? { type: 'PostponeReturn', returnId, sendsAt: sendsAt.right }
    : { type: 'EndReturnWait', returnId, at: now }
  const context = stepContextOf(scope, returnId, `${command.type} ${sendsAt.right}`, known)
  const decide = Exception.decider.decide(command)
  const done = await stepUnless(services.store)(waitDecidedOtherwise, Exception, id, context, decide)
  return E.isLeft(done) ? done : E.right(!isPostponed && done.right !== null)
}

/** Resumes an application. One that cannot be judged for lack of a rate waits for the rate. */
const applyOnceRated = async (
  services: ExceptionServices,
  scope: Scope,
  id: ExceptionId,
  { details }: ExceptionRow,
  { checkoutId, paymentId, startedAt }: Extract<ExceptionRow, { readonly status: 'applying' }>['application'],
): Promise<E.Either<ProcessFailure, unknown>> => {
  const checkout = await loadCheckout(services, scope, checkoutId)
  if (E.isLeft(checkout)) {
    if (checkout.left._tag === 'CheckoutNotFound')
      throw new Error(`${id} is applied to ${checkoutId}, which is not there`)
    return E.left(checkout.left)
  }
  const application = { id, details, checkoutId, checkout: checkout.right, paymentId }
  const applied = await resumeApplication(services, scope, application, startedAt)
  return isRateMissing(applied) ? E.right(undefined) : applied
}

/** Whether money came before a person accepted a restored log: its checkout may have been lost. */
const mayBeLost = async (
  { logStanding }: Pick<ExceptionServices, 'logStanding'>,
  { environment }: Scope,
  { ledger }: ExceptionDetails,
): Promise<E.Either<ProcessFailure, boolean>> =>
  E.map((acceptances: ReadonlyArray<LogAcceptance>) =>
    acceptances.some(({ through }) => ledger <= (through[environment] ?? 0)),
  )(await logStanding.acceptances())

/** Another process or a person decided first. */
const decidedOtherwise = ['ReturnUnderWay', 'ApplicationUnderWay', 'ExceptionIsResolved'] as const

/**
 * Applies the rules to a new exception, as of the moment that it was opened, so that every process takes the same step. A
 * person who decides at the same time is first or second.
 */
const goOwnWay = async (
  services: ExceptionServices,
  ownerOf: Owners,
  limitOf: DustLimits,
  scope: Scope,
  id: ExceptionId,
  { details, createdAt: at }: ExceptionRow,
): Promise<E.Either<ProcessFailure, unknown>> => {
  const decide = (command: ExceptionCommand) => {
    const context = stepContextOf(scope, id, command.type, at)
    return stepUnless(services.store)(decidedOtherwise, Exception, id, context, Exception.decider.decide(command))
  }
  const policy = isUnknownLumens(details) ? await unknownLumensOf(services, scope) : E.right('return' as const)
  if (E.isLeft(policy)) return policy
  const limit = await limitOf(scope, details.assetId)
  const way = await ownWay(details, async (account) => (await ownerOf(account)) !== null, policy.right, limit)
  const actor = asText(processActor)
  switch (way._tag) {
    case 'accept':
      return decide({ type: 'AcceptException', actor, note: null, at })
    case 'leave':
      return decide({ type: 'LeaveToPerson', reason: way.reason })
    case 'return': {
      const { destination, destinationMuxedId } = way
      const { assetId, amount } = details
      const fits = await checkReturn(services, scope, { destination, assetId, amount })
      if (E.isLeft(fits)) {
        return isReturnUnfit(fits.left)
          ? decide({ type: 'LeaveToPerson', reason: undecidedOf(fits.left) })
          : E.left(fits.left)
      }
      const lost = details.kind === 'unmatched' ? await mayBeLost(services, scope, details) : E.right(false)
      if (E.isLeft(lost)) return lost
      if (lost.right) return decide({ type: 'LeaveToPerson', reason: 'log_rolled_back' })
      const returnId = createdId(ReturnId, at, derivedCommandId(scope.environment, id))
      const decision = { actor, note: null, startedAt: at }
      const started = await decide({ type: 'StartReturn', returnId, destination, destinationMuxedId, ...decision })
      if (E.isLeft(started) || started.right?.state.status !== 'returning') return started
      return sendBack(services, scope, id, details, started.right.state.moneyReturn)
    }
  }
}
