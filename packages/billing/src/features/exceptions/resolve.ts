import {
  type AccountId,
  asText,
  CheckoutId,
  Exception,
  type ExceptionCommand,
  ExceptionId,
  type ExceptionRejection,
  type ExceptionState,
  PaymentId,
  ReturnId,
  type Text,
} from '@quittance/domain'
import { exceptions as model } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { createdId } from '../../kernel/derive.ts'
import { type CommandContext, doneIn, type Executed, execute, fold } from '../../kernel/execute.ts'
import { isIn, rowAfter, type StoreUnavailable } from '../../kernel/load.ts'
import { type ExceptionResource, exceptionResource } from '../../resources/exception.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import type { Services } from '../../services/services.ts'
import { withoutRejection } from '../../services/steps.ts'
import type { CheckoutNotFound } from '../checkouts/options.ts'
import { knownSender } from '../payments/own-way.ts'
import type { SenderUnknown } from '../payments/sent-by-account.ts'
import { type Application, type CreditDoesNotFit, checkApplication, checkoutFor, resumeApplication } from './apply.ts'
import { checkReturn, type ReturnUnfit, sendBack } from './send-back.ts'

export type ExceptionNotFound = { readonly _tag: 'ExceptionNotFound' }

/**
 * What a person has decided: it goes back, to its sender where no destination is named; it counts for a checkout; or it is
 * kept.
 */
export type Wanted = { readonly note: Text | null } & (
  | { readonly action: 'refund'; readonly destination: AccountId | null }
  | { readonly action: 'apply'; readonly checkoutId: string }
  | { readonly action: 'accept' }
)

type Undecidable = Extract<
  ExceptionRejection,
  {
    readonly _tag: 'ExceptionIsResolved' | 'ReturnUnderWay' | 'ApplicationUnderWay' | 'NotApplicable' | 'NotReturnable'
  }
>

export type ResolveFailure =
  | ProcessFailure
  | ExceptionNotFound
  | CheckoutNotFound
  | Undecidable
  | SenderUnknown
  | ReturnUnfit
  | CreditDoesNotFit

type Existing = Exclude<ExceptionState, { readonly status: 'absent' }>
type Known = { readonly id: ExceptionId; readonly state: Existing; readonly isBegun: boolean }
type Outcome = Promise<E.Either<ResolveFailure, Executed<ExceptionState>>>

/**
 * Decides what becomes of money that does not fit. Whatever can be known beforehand is asked before the decision is
 * recorded; from then on it comes to its end by itself, whatever becomes of this process. A repeated request is not judged
 * anew. Answers the exception: open still where it goes back, until a closed ledger holds the return.
 */
export const resolveException =
  (services: Services) =>
  (context: CommandContext, id: string, wanted: Wanted): TE.TaskEither<ResolveFailure, ExceptionResource> =>
  async () => {
    const found = await known(services, context, id)
    if (E.isLeft(found)) return found
    const outcome = await carriedOut(services, context, found.right, wanted)
    return E.map((executed: Executed<ExceptionState>) => exceptionResource(rowAfter(model, id)(executed)))(outcome)
  }

const carriedOut = (services: Services, context: CommandContext, exception: Known, wanted: Wanted): Outcome => {
  switch (wanted.action) {
    case 'refund':
      return refund(services, context, exception, wanted.destination, wanted.note)
    case 'apply':
      return apply(services, context, exception, wanted.checkoutId, wanted.note)
    case 'accept': {
      const command = { type: 'AcceptException', ...decisionOf(context, wanted.note), at: context.at } as const
      return decided(services, context, exception, command)
    }
  }
}

const refund = async (
  services: Services,
  context: CommandContext,
  exception: Known,
  named: AccountId | null,
  note: Text | null,
): Outcome => {
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
    ...decisionOf(context, note),
  }
  if (!isBegun) {
    const possible = Exception.decider.decide(command)(state)
    if (E.isLeft(possible)) return undecidable(possible)
    const { assetId, amount } = details
    const fits = await checkReturn(services, context, { destination, assetId, amount })
    if (E.isLeft(fits)) return fits
  }
  const started = await decided(services, context, exception, command)
  if (E.isLeft(started) || started.right.state.status !== 'returning') return started
  const sent = await sendBack(services, context, id, details, started.right.state.moneyReturn)
  return E.isLeft(sent) ? sent : started
}

const apply = async (
  services: Services,
  context: CommandContext,
  exception: Known,
  named: string,
  note: Text | null,
): Outcome => {
  const { id, state, isBegun } = exception
  const checkout = await checkoutFor(services)(context, named)()
  if (E.isLeft(checkout)) return checkout
  const checkoutId = decodeOrThrow(CheckoutId, checkout.right.id)
  const paymentId = createdId(PaymentId, context.at, context.commandId)
  const application: Application = { id, details: state.details, checkoutId, checkout: checkout.right, paymentId }
  const command = {
    type: 'StartApplication' as const,
    checkoutId,
    paymentId,
    startedAt: context.at,
    ...decisionOf(context, note),
  }
  if (!isBegun) {
    const possible = Exception.decider.decide(command)(state)
    if (E.isLeft(possible)) return undecidable(possible)
    const fits = await checkApplication(services, application)
    if (E.isLeft(fits)) return fits
  }
  const started = await decided(services, context, exception, command)
  if (E.isLeft(started)) return started
  const carried = await resumeApplication(services, context, application, context.at)
  if (E.isLeft(carried)) return carried
  const stream = await services.store.readStream(streamOf(id))()
  return E.isLeft(stream)
    ? stream
    : E.right({ state: fold(Exception, stream.right.events), events: stream.right.events })
}

const streamOf = (id: string): string => `${Exception.category}-${id}`

const decisionOf = ({ actor }: CommandContext, note: Text | null) => ({ actor: asText(actor), note })

/** The exception as its stream has it at this moment, and whether this request has begun to decide it before. */
const known = async (
  { store }: Services,
  context: CommandContext,
  id: string,
): Promise<E.Either<StoreUnavailable | ExceptionNotFound, Known>> => {
  const stream = await store.readStream(streamOf(id))()
  if (E.isLeft(stream)) return stream
  const { events } = stream.right
  const state = fold(Exception, events)
  const [first] = events
  if (first === undefined || !isIn(context, first.metadata) || state.status === 'absent')
    return E.left({ _tag: 'ExceptionNotFound' })
  return E.right({
    id: decodeOrThrow(ExceptionId, id),
    state,
    isBegun: doneIn(context, streamOf(id), events) !== null,
  })
}

const decided = async (
  { store }: Services,
  context: CommandContext,
  { id }: Known,
  command: ExceptionCommand,
): Outcome => {
  const outcome = await execute(store)(Exception, id, context, Exception.decider.decide(command))
  return undecidable(outcome)
}

/** What of the domain's rejections a person can be told; any other is a defect, and thrown. */
const undecidable = <A, L extends { readonly _tag: string }>(outcome: E.Either<L | ExceptionRejection, A>) => {
  if (E.isLeft(outcome)) {
    const { left } = outcome
    if (isUndecidable(left)) return E.left(left)
  }
  return withoutRejection(outcome)
}

const undecidables: Readonly<Record<Undecidable['_tag'], true>> = {
  ExceptionIsResolved: true,
  ReturnUnderWay: true,
  ApplicationUnderWay: true,
  NotApplicable: true,
  NotReturnable: true,
}

const isUndecidable = (left: { readonly _tag: string }): left is Undecidable => Object.hasOwn(undecidables, left._tag)
