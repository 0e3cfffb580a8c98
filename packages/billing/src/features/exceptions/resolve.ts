import {
  type AccountId,
  asText,
  Checkout,
  CheckoutId,
  type CustomerId,
  Exception,
  type ExceptionCommand,
  type ExceptionDetails,
  ExceptionId,
  type ExceptionRejection,
  type ExceptionState,
  Payment,
  PaymentId,
  ReturnId,
  type Text,
  type UnixMs,
  unixMs,
} from '@quittance/domain'
import { exceptions as model } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { createdId } from '../../kernel/derive.ts'
import { type CommandContext, doneIn, type Executed } from '../../kernel/execute.ts'
import { isIn, rowAfter, type StoreUnavailable, stateOf } from '../../kernel/load.ts'
import { executeExpecting } from '../../kernel/step.ts'
import { type ExceptionResource, exceptionResource } from '../../resources/exception.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import type { Services } from '../../services/services.ts'
import type { CheckoutNotFound } from '../checkouts/options.ts'
import { isLimitedAt } from '../limits/admit.ts'
import { knownSender } from '../payments/misfit-rules.ts'
import type { SenderUnknown } from '../payments/sent-by-account.ts'
import {
  type DestinationNotAllowed,
  type NamedDestination,
  namedWaitMs,
  sendsAtFor,
} from '../refunds/named-destination.ts'
import { type Application, type CreditDoesNotFit, checkApplication, loadCheckout, resumeApplication } from './apply.ts'
import { checkReturn, type ReturnUnfit, sendBack } from './send-back.ts'
import type { ExceptionServices } from './services.ts'

export type ExceptionNotFound = { readonly _tag: 'ExceptionNotFound' }

/**
 * What a person has decided: the money goes back, to its sender unless a destination is named; it counts for a checkout; or
 * it is kept. `mayNameAnyAddress` is as in a new refund.
 */
export type Resolution = { readonly note: Text | null } & (
  | { readonly action: 'refund'; readonly destination: AccountId | null; readonly mayNameAnyAddress?: boolean }
  | { readonly action: 'apply'; readonly checkoutId: string }
  | { readonly action: 'accept' }
)

/** The rejections of the domain that a person can be told. */
const undecidable = [
  'ExceptionIsResolved',
  'ReturnUnderWay',
  'ApplicationUnderWay',
  'NotApplicable',
  'NotReturnable',
  'HeldForOperator',
] as const
type Undecidable = Extract<ExceptionRejection, { readonly _tag: (typeof undecidable)[number] }>

export type ResolveFailure =
  | ProcessFailure
  | ExceptionNotFound
  | CheckoutNotFound
  | Undecidable
  | SenderUnknown
  | DestinationNotAllowed
  | ReturnUnfit
  | CreditDoesNotFit

type ExistingException = Exclude<ExceptionState, { readonly status: 'absent' }>
type LoadedException = { readonly id: ExceptionId; readonly state: ExistingException; readonly isBegun: boolean }
type Resolving = Promise<E.Either<ResolveFailure, Executed<ExceptionState>>>

/**
 * Decides what becomes of money that does not fit. Everything that can be checked is checked before the decision is
 * recorded; from then on it comes to its end by itself, even if this process dies. A repeated request is not judged again.
 * Answers the exception, which stays open until a closed ledger holds its return.
 */
export const resolveException = async (
  services: ExceptionServices,
  context: CommandContext,
  id: string,
  resolution: Resolution,
): Promise<E.Either<ResolveFailure, ExceptionResource>> => {
  const exception = await loadException(services, context, id)
  if (E.isLeft(exception)) return exception
  const resolved = await resolve(services, context, exception.right, resolution)
  return E.isLeft(resolved) ? resolved : E.right(exceptionResource(rowAfter(model, id)(resolved.right)))
}

/** The exception as its stream has it at this moment, and whether this request has begun to decide it before. */
export const loadException = async (
  { store }: Pick<Services, 'store'>,
  context: CommandContext,
  id: string,
): Promise<E.Either<StoreUnavailable | ExceptionNotFound, LoadedException>> => {
  const loaded = await stateOf(store)(Exception, id)
  if (E.isLeft(loaded)) return loaded
  const { state, events } = loaded.right
  const [first] = events
  if (first === undefined || !isIn(context, first.metadata) || state.status === 'absent')
    return E.left({ _tag: 'ExceptionNotFound' })
  const isBegun = doneIn(context, first.stream, events) !== null
  return E.right({ id: decodeOrThrow(ExceptionId, id), state, isBegun })
}

const resolve = (
  services: ExceptionServices,
  context: CommandContext,
  exception: LoadedException,
  resolution: Resolution,
): Resolving => {
  const { note } = resolution
  switch (resolution.action) {
    case 'refund':
      return refund(services, context, exception, resolution)
    case 'apply':
      return apply(services, context, exception, resolution.checkoutId, note)
    case 'accept':
      return decide(services, context, exception, {
        type: 'AcceptException',
        actor: asText(context.actor),
        note,
        at: context.at,
      })
  }
}

const refund = async (
  services: ExceptionServices,
  context: CommandContext,
  exception: LoadedException,
  { destination: named, mayNameAnyAddress = false, note }: Extract<Resolution, { readonly action: 'refund' }>,
): Resolving => {
  const { id, state, isBegun } = exception
  const { details } = state
  const sender = knownSender(details)
  const isSender = named === null || named === sender?.destination
  const destination = named ?? sender?.destination ?? null
  if (destination === null) return E.left({ _tag: 'SenderUnknown' })
  const command = {
    type: 'StartReturn' as const,
    returnId: createdId(ReturnId, context.at, context.commandId),
    destination,
    destinationMuxedId: isSender ? (sender?.destinationMuxedId ?? null) : null,
    startedAt: context.at,
    actor: asText(context.actor),
    note,
  }
  let wait: { readonly sendsAt?: UnixMs } = {}
  if (!isBegun) {
    const rejection = rejectionOf(command, state)
    if (rejection !== null) return E.left(rejection)
    const customerId = isSender ? E.right(null) : await customerOf(services, details)
    if (E.isLeft(customerId)) return customerId
    const at = services.clock.now(context.environment)
    const to = { address: destination, customerId: customerId.right, paid: [], mayNameAnyAddress, at }
    const sendsAt = isSender ? E.right(null) : await returnSendsAt(services, context, to)
    if (E.isLeft(sendsAt)) return sendsAt
    if (sendsAt.right !== null) wait = { sendsAt: sendsAt.right }
    const { assetId, amount } = details
    const fits = await checkReturn(services, context, { destination, assetId, amount })
    if (E.isLeft(fits)) return fits
  }
  const started = await decide(services, context, exception, { ...command, ...wait })
  if (E.isLeft(started) || started.right.state.status !== 'returning') return started
  const { moneyReturn } = started.right.state
  if (moneyReturn.sendsAt !== undefined) return started
  const sent = await sendBack(services, context, id, details, moneyReturn)
  return E.isLeft(sent) ? sent : started
}

/** Returns do not count against limits: while there are any, one to a named address waits whoever has registered that. */
const returnSendsAt = async (
  services: ExceptionServices,
  context: CommandContext,
  to: NamedDestination,
): Promise<E.Either<StoreUnavailable | DestinationNotAllowed, UnixMs | null>> => {
  const sendsAt = await sendsAtFor(services, context, to)
  if (E.isLeft(sendsAt) || sendsAt.right !== null) return sendsAt
  const limited = await isLimitedAt(services, context, to.at)
  if (E.isLeft(limited)) return limited
  return E.right(limited.right ? unixMs(to.at + namedWaitMs) : null)
}

/** The customer for whose payment or checkout the money came: nobody, if a person applied it there. */
const customerOf = async (
  { store }: Pick<Services, 'store'>,
  { paymentId, checkoutId, appliedFrom }: ExceptionDetails,
): Promise<E.Either<StoreUnavailable, CustomerId | null>> => {
  if (appliedFrom !== undefined) return E.right(null)
  if (paymentId !== null) {
    const payment = await stateOf(store)(Payment, paymentId)
    if (E.isLeft(payment)) return payment
    return E.right(payment.right.state.status === 'absent' ? null : payment.right.state.details.customerId)
  }
  if (checkoutId === null) return E.right(null)
  const checkout = await stateOf(store)(Checkout, checkoutId)
  if (E.isLeft(checkout)) return checkout
  return E.right(checkout.right.state.status === 'absent' ? null : checkout.right.state.customerId)
}

const apply = async (
  services: ExceptionServices,
  context: CommandContext,
  exception: LoadedException,
  named: string,
  note: Text | null,
): Resolving => {
  const { id, state, isBegun } = exception
  const checkout = await loadCheckout(services, context, named)
  if (E.isLeft(checkout)) return checkout
  const checkoutId = decodeOrThrow(CheckoutId, named)
  const paymentId = createdId(PaymentId, context.at, context.commandId)
  const application: Application = { id, details: state.details, checkoutId, checkout: checkout.right, paymentId }
  const startedAt = context.at
  const actor = asText(context.actor)
  const command = { type: 'StartApplication' as const, checkoutId, paymentId, startedAt, actor, note }
  if (!isBegun) {
    const rejection = rejectionOf(command, state)
    if (rejection !== null) return E.left(rejection)
    const fits = await checkApplication(services, application)
    if (E.isLeft(fits)) return fits
  }
  const started = await decide(services, context, exception, command)
  return E.isLeft(started) ? started : resumeApplication(services, context, application, startedAt)
}

const decide = (
  { store }: Pick<Services, 'store'>,
  context: CommandContext,
  { id }: LoadedException,
  command: ExceptionCommand,
): Resolving => executeExpecting(store)(undecidable, Exception, id, context, Exception.decider.decide(command))

/** Why the domain would reject a decision, asked before the ledger is. */
const rejectionOf = (command: ExceptionCommand, state: ExistingException): Undecidable | null => {
  const decision = Exception.decider.decide(command)(state)
  if (E.isRight(decision)) return null
  if (isUndecidable(decision.left)) return decision.left
  throw new Error(`an exception rejects ${command.type}: ${decision.left._tag}`)
}

const isUndecidable = (rejection: ExceptionRejection): rejection is Undecidable =>
  undecidable.some((tag) => tag === rejection._tag)
