import {
  asText,
  type Environment,
  Exception,
  ExceptionId,
  endOf,
  type HoldAction,
  operatorActor,
  PayoutId,
  RefundId,
  ReturnId,
  SubscriptionId,
  standingOf,
  type Text,
} from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type ResolveFailure, resolveException } from '../features/exceptions/resolve.ts'
import type { ExceptionServices } from '../features/exceptions/services.ts'
import { deploymentTime } from '../kernel/clock.ts'
import { createdId } from '../kernel/derive.ts'
import type { CommandContext, ExecuteFailure } from '../kernel/execute.ts'
import { stateOf } from '../kernel/load.ts'
import { executeExpecting } from '../kernel/step.ts'
import { everyRow } from '../services/every-row.ts'
import type { Services } from '../services/services.ts'

/** Money that moves only if the operator lets it. `subject`: an exception, or what would pay or charge the address. */
export type HeldMoney = {
  readonly subject: string
  readonly kind: 'incoming' | 'outgoing' | 'charge'
  readonly merchantId: string
  readonly environment: Environment
  readonly address: string
  readonly at: number
  /** Whether the operator has decided that it stays held. */
  readonly isKept: boolean
}

/**
 * `accept`: it goes on: what came counts for its checkout if it can, and is the merchant's to decide about otherwise.
 * `return`: what came goes back to its sender, and what would go out is never sent. `keep`: it stays held.
 */
export type HoldRequest = {
  readonly subject: string
  readonly action: HoldAction
  readonly by: Text
  readonly reason: Text
}

/** `isLeftToMerchant`: the checkout does not take it any more. */
export type HoldOutcome = { readonly isNew: boolean; readonly isLeftToMerchant: boolean }

/** Nothing of this name is held, or it is decided. */
type NotHeld = { readonly _tag: 'NotHeld' }
/** A charge that is not made has nothing to return. */
type NothingToReturn = { readonly _tag: 'NothingToReturn' }

/** Why money that a screening holds cannot be released or returned. */
export type HoldFailure = ResolveFailure | NotHeld | NothingToReturn

/** What a screening holds. Only the operator decides about it: no key of a merchant can. */
export interface ScreeningDesk {
  readonly held: TE.TaskEither<ExecuteFailure, ReadonlyArray<HeldMoney>>
  readonly decide: (request: HoldRequest) => TE.TaskEither<HoldFailure, HoldOutcome>
}

type DeskServices = ExceptionServices & Pick<Services, 'holding' | 'freshId'>

export const screeningDesk = (services: DeskServices): ScreeningDesk => ({
  held: () => heldMoney(services),
  decide: (request) => () =>
    ExceptionId.is(request.subject)
      ? decideException(services, request, request.subject)
      : decideHold(services, request),
})

const heldMoney = async (services: DeskServices): Promise<E.Either<ExecuteFailure, ReadonlyArray<HeldMoney>>> => {
  const state = await services.holding.now()
  if (E.isLeft(state)) return state
  const caught = await services.caughtUp.withLog()
  if (E.isLeft(caught)) return caught
  const ofLog = (
    await Promise.all(
      [...state.right.held.values()].map(async ({ subject, merchantId, environment, address, at }) => {
        const [intent] = await services.readModels.intents.withKey(subject)
        const hasEnded = intent !== undefined && endOf(intent.row) !== null
        const isHeld = standingOf(state.right, subject) === 'held' && !hasEnded
        const kind = SubscriptionId.is(subject) ? ('charge' as const) : ('outgoing' as const)
        const isKept = state.right.decided.get(subject)?.action === 'keep'
        return isHeld ? [{ subject, kind, merchantId, environment, address, at, isKept }] : []
      }),
    )
  ).flat()
  return E.right([...(await Array.fromAsync(incoming(services))), ...ofLog].toSorted((one, other) => one.at - other.at))
}

async function* incoming({ readModels }: Pick<Services, 'readModels'>): AsyncGenerator<HeldMoney> {
  for (const { id: merchantId } of await readModels.merchants.all())
    for (const environment of ['testnet', 'mainnet'] as const) {
      const listed = { status: 'open', listedUnder: 'screened' }
      const scope = { merchantId, environment }
      for await (const { id, row } of everyRow((page) => readModels.exceptions.page({ ...page, ...listed }), scope)) {
        if (row.status !== 'open' || row.undecided === 'screening_cleared') continue
        const isKept = row.undecided === 'screening_kept'
        const { from: address, closedAt: at } = row.details
        yield { subject: id, kind: 'incoming', merchantId, environment, address, at, isKept }
      }
    }
}

const decideHold = async (
  { holding, clock }: DeskServices,
  { subject, action, by, reason }: HoldRequest,
): Promise<E.Either<HoldFailure, HoldOutcome>> => {
  const state = await holding.now()
  if (E.isLeft(state)) return state
  const known = [RefundId, ReturnId, PayoutId, SubscriptionId].some((codec) => codec.is(subject))
  if (!known || !state.right.held.has(subject)) return E.left({ _tag: 'NotHeld' })
  if (action === 'return' && SubscriptionId.is(subject)) return E.left({ _tag: 'NothingToReturn' })
  const decision = { subject: asText(subject), action, by, reason, at: deploymentTime(clock) }
  const decided = await holding.record({ type: 'DecideHold', ...decision })
  if (E.isLeft(decided)) return decided
  const isSo = decided.right.state.decided.get(subject)?.action === action
  return isSo ? E.right({ isNew: decided.right.isNew, isLeftToMerchant: false }) : E.left({ _tag: 'NotHeld' })
}

const decideException = async (
  services: DeskServices,
  { action, by, reason }: HoldRequest,
  id: ExceptionId,
): Promise<E.Either<HoldFailure, HoldOutcome>> => {
  const loaded = await stateOf(services.store)(Exception, id)
  if (E.isLeft(loaded)) return loaded
  const { state, events } = loaded.right
  const [first] = events
  if (first === undefined || state.status === 'absent' || state.details.kind !== 'screened')
    return E.left({ _tag: 'NotHeld' })
  const { merchantId, environment } = first.metadata
  const context = contextOf(services, { merchantId, environment })
  const note = asText(`${by}: ${reason}`)
  const change = { actor: operatorActor, note, at: context.at }
  if (action === 'return') {
    // The return pays whom the list names: that is decided before there is one.
    const subject = asText(createdId(ReturnId, context.at, context.commandId))
    const cleared = await services.holding.record({
      type: 'DecideHold',
      ...{ subject, action: 'accept', by, reason, at: context.at },
    })
    if (E.isLeft(cleared)) return cleared
    const returned = await resolveException(services, context, id, { action: 'refund', destination: null, note })
    return E.isLeft(returned) ? returned : E.right({ isNew: true, isLeftToMerchant: false })
  }
  const type = action === 'keep' ? ('KeepHold' as const) : ('ReleaseHold' as const)
  const expected = ['NotHeld', 'ReturnUnderWay', 'ApplicationUnderWay', 'ExceptionIsResolved'] as const
  const changed = await executeExpecting(services.store)(
    expected,
    Exception,
    id,
    context,
    Exception.decider.decide({ type, ...change }),
  )
  if (E.isLeft(changed)) return changed
  const isNew = changed.right.events.at(-1)?.metadata.commandId === context.commandId
  const { checkoutId } = state.details
  if (action === 'keep' || checkoutId === null) return E.right({ isNew, isLeftToMerchant: action === 'accept' })
  const applied = await resolveException(services, contextOf(services, context), id, {
    action: 'apply',
    checkoutId,
    note,
  })
  if (E.isRight(applied)) return E.right({ isNew, isLeftToMerchant: false })
  return applied.left._tag === 'CreditDoesNotFit' ? E.right({ isNew, isLeftToMerchant: true }) : applied
}

const contextOf = (
  { clock, freshId }: Pick<Services, 'clock' | 'freshId'>,
  { merchantId, environment }: Scope,
): CommandContext => {
  const commandId = freshId()
  const at = clock.now(environment)
  return { merchantId, environment, commandId, correlationId: commandId, causationId: null, actor: operatorActor, at }
}
