import {
  asText,
  type Environment,
  Exception,
  type ExceptionCommand,
  ExceptionId,
  ReturnId,
  type UnixMs,
} from '@quittance/domain'
import { type ExceptionRow, type Found, isWaiting, type Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { createdId, derivedCommandId } from '../../kernel/derive.ts'
import { execute } from '../../kernel/execute.ts'
import { processActor, stepContext } from '../../kernel/step-context.ts'
import { eachIsolated } from '../../services/each-isolated.ts'
import { type Owners, ownersIn } from '../../services/owners.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import type { Services } from '../../services/services.ts'
import { unlessRejected, withoutRejection } from '../../services/steps.ts'
import { isRateMissing } from '../checkouts/judged.ts'
import type { Raise } from '../outgoing/trouble.ts'
import { isUnknownLumens, ownWay, type Sender } from '../payments/own-way.ts'
import { checkoutFor, resumeApplication } from './apply.ts'
import { checkReturn, sendBack, undecidedOf } from './send-back.ts'
import { unknownLumensOf } from './unknown-lumens.ts'

/** The ledger is asked for each: so many at a time, that nothing else waits long for who floods an account. */
const [mostAtOnce, mostOfMerchant] = [100, 20]

/**
 * Brings an environment's exceptions forward: looks where each that is new can go by itself, and carries on what has
 * started, as a crash may have come after any step. Of those that have waited for a person too long, raises the oldest.
 */
export const resumeExceptions = async (
  services: Services,
  raise: Raise,
  environment: Environment,
): Promise<E.Either<ProcessFailure, void>> => {
  const { exceptions } = services.readModels
  const ownerOf = ownersIn(services, environment)
  return eachIsolated(services, environment, {
    loop: 'exceptions',
    items: untilOneWaits(exceptions.due(environment, services.clock.now()), raise),
    again: ({ id }) => {
      const found = exceptions.withId(id)
      return found === null || found.row.status === 'resolved' || isWaiting(found.row) ? null : found
    },
    isInTurn: someOfEach(),
    work: (found) => carry(services, ownerOf, found),
  })
}

/** All that has started, and of what is new so many of each merchant and of all together. */
const someOfEach = () => {
  const looked = new Map<string, number>()
  let all = 0
  return ({ merchantId, row }: Found<ExceptionRow>): boolean => {
    const own = looked.get(merchantId) ?? 0
    if (row.status !== 'open') return true
    if (own === mostOfMerchant || all === mostAtOnce) return false
    looked.set(merchantId, own + 1)
    all += 1
    return true
  }
}

/** What can be carried on; those that wait for a person come last, and the first is raised. */
function* untilOneWaits(due: Iterable<Found<ExceptionRow>>, raise: Raise): Generator<Found<ExceptionRow>> {
  for (const found of due) {
    if (isWaiting(found.row)) {
      raise({ _tag: 'ExceptionWaits', exceptionId: decodeOrThrow(ExceptionId, found.id) })
      return
    }
    yield found
  }
}

const carry = async (
  services: Services,
  ownerOf: Owners,
  { id, merchantId, environment, row }: Found<ExceptionRow>,
): Promise<E.Either<ProcessFailure, void>> => {
  const scope = { merchantId, environment }
  const exceptionId = decodeOrThrow(ExceptionId, id)
  if (row.status === 'applying') return carryOn(services, scope, exceptionId, row, row.application)
  const { moneyReturn } = row
  if (moneyReturn === null) return goOwnWay(services, ownerOf, scope, exceptionId, row)
  // Its intent is recorded: from then on the worker brings it to its end, and tells the exception.
  if (services.readModels.intents.withKey(moneyReturn.returnId).length > 0) return E.right(undefined)
  return sendBack(services, scope, exceptionId, row.details, moneyReturn)
}

/** An application that nobody can judge for want of a rate waits for one. */
const carryOn = async (
  services: Services,
  scope: Scope,
  id: ExceptionId,
  { details }: ExceptionRow,
  { checkoutId, paymentId, startedAt }: Extract<ExceptionRow, { readonly status: 'applying' }>['application'],
): Promise<E.Either<ProcessFailure, void>> => {
  const checkout = withoutRejection(await checkoutFor(services)(scope, checkoutId)())
  if (E.isLeft(checkout)) return checkout
  const application = { id, details, checkoutId, checkout: checkout.right, paymentId }
  const carried = await resumeApplication(services, scope, application, startedAt)
  return isRateMissing(carried) ? E.right(undefined) : carried
}

/**
 * What a new exception comes to without anyone's asking, as of the moment that it was opened: whoever takes this step, it
 * is the same. A person who decides at the same time is first or second.
 */
const goOwnWay = async (
  services: Services,
  ownerOf: Owners,
  scope: Scope,
  id: ExceptionId,
  { details, createdAt: at }: ExceptionRow,
): Promise<E.Either<ProcessFailure, void>> => {
  const decideFor = (command: ExceptionCommand) => decided(services, scope, id, command, at)
  const policy = isUnknownLumens(details) ? await unknownLumensOf(services, scope)() : E.right('return' as const)
  if (E.isLeft(policy)) return policy
  const way = ownWay(details, (account) => ownerOf(account) !== null, policy.right)
  switch (way._tag) {
    case 'accept':
      return E.map(() => undefined)(
        await decideFor({ type: 'AcceptException', actor: asText(processActor), note: null, at }),
      )
    case 'leave':
      return E.map(() => undefined)(await decideFor({ type: 'LeaveToPerson', reason: way.reason }))
    case 'return': {
      const { assetId, amount } = details
      const fits = await checkReturn(services, scope, { destination: way.destination, assetId, amount })
      if (E.isRight(fits)) return start(services, scope, id, details, way, at)
      if (fits.left._tag !== 'DestinationUnfit' && fits.left._tag !== 'InsufficientFunds') return E.left(fits.left)
      return E.map(() => undefined)(await decideFor({ type: 'LeaveToPerson', reason: undecidedOf(fits.left) }))
    }
  }
}

const start = async (
  services: Services,
  scope: Scope,
  id: ExceptionId,
  details: ExceptionRow['details'],
  { destination, destinationMuxedId }: Sender,
  at: UnixMs,
): Promise<E.Either<ProcessFailure, void>> => {
  const returnId = createdId(ReturnId, at, derivedCommandId(scope.environment, id))
  const decision = { actor: asText(processActor), note: null, startedAt: at }
  const command = { type: 'StartReturn' as const, returnId, destination, destinationMuxedId, ...decision }
  const started = await decided(services, scope, id, command, at)
  if (E.isLeft(started)) return started
  const state = started.right?.state
  return state?.status === 'returning' ? sendBack(services, scope, id, details, state.moneyReturn) : E.right(undefined)
}

const decided = async ({ store }: Services, scope: Scope, id: ExceptionId, command: ExceptionCommand, at: UnixMs) => {
  const context = stepContext(scope, derivedCommandId(scope.environment, id), command.type, at)
  return unlessRejected(await execute(store)(Exception, id, context, Exception.decider.decide(command)))
}
