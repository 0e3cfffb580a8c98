import {
  asText,
  type FreezeCommand,
  type FreezeDecision,
  type FreezeScope,
  type FreezeState,
  Freezes,
  isFrozen,
  isSameTarget,
} from '@quittance/domain'
import type { EventStore } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import { type Clock, deploymentTime } from '../kernel/clock.ts'
import { type ExecuteFailure, execute } from '../kernel/execute.ts'
import { platform } from '../kernel/platform.ts'
import { rememberedStates } from '../kernel/remembered.ts'
import type { KeptFreezes } from '../stores/kept-freezes.ts'
import type { LeftMerchants } from '../stores/left-merchants.ts'

/** The operator has stopped sales of the merchant, or of all. */
export type SalesFrozen = { readonly _tag: 'SalesFrozen' }

/** What the operator has stopped. Every process reads it from the log when it is about to act. */
export interface Freezing {
  readonly now: () => Promise<E.Either<ExecuteFailure, FreezeState>>
  /** Records a decision. Answers what is frozen then, and whether that has changed. */
  readonly decide: (command: FreezeCommand) => Promise<E.Either<ExecuteFailure, Decided>>
}

type Decided = { readonly state: FreezeState; readonly isRecorded: boolean }

const operatorName = asText('operator')
const hasLeft = asText('the merchant has left this installation')

/** The events concern both environments; an event has to name one. */
const scope = { merchantId: platform, environment: 'testnet' as const }

export const freezing = (
  store: EventStore,
  keeper: KeptFreezes | null,
  clock: Clock,
  freshId: () => string,
  left: Pick<LeftMerchants, 'all'>,
): Freezing => {
  const stateOf = rememberedStates(store, Freezes)
  let isCompared = keeper === null

  const record = async (command: FreezeCommand): Promise<E.Either<ExecuteFailure, Decided>> => {
    const commandId = freshId()
    const at = deploymentTime(clock)
    const context = { ...scope, commandId, correlationId: commandId, causationId: null, actor: 'operator', at }
    const recorded = await execute(store)(Freezes, platform, context, Freezes.decider.decide(command))
    if (E.isLeft(recorded)) return recorded
    const { state, events } = recorded.right
    return E.right({ state, isRecorded: events.at(-1)?.metadata.commandId === commandId })
  }

  /** Freezes again what is kept outside a log that has forgotten it, once in each process. */
  const recover = async (state: FreezeState): Promise<E.Either<ExecuteFailure, FreezeState>> => {
    let current = state
    for (const { reason, ...kept } of keeper?.kept() ?? []) {
      if (!isForgotten(state, kept)) continue
      const recorded = await record({ type: 'Freeze', reason, ...kept })
      if (E.isLeft(recorded)) return recorded
      current = recorded.right.state
    }
    keeper?.keep(current.inForce)
    isCompared = true
    return E.right(current)
  }

  const recorded = async (): Promise<E.Either<ExecuteFailure, FreezeState>> => {
    const state = await stateOf(platform)
    return E.isLeft(state) || isCompared ? state : recover(state.right)
  }
  const gone = async () =>
    (await left.all()).map(({ merchantId, at }) => ({
      scope: 'everything' as const,
      by: operatorName,
      reason: hasLeft,
      merchantId,
      at,
    }))
  /** What has left is frozen for ever, whatever the log says. */
  const now = async (): Promise<E.Either<ExecuteFailure, FreezeState>> => {
    const state = await recorded()
    if (E.isLeft(state)) return state
    const more = await gone()
    return more.length === 0 ? state : E.right({ ...state.right, inForce: [...state.right.inForce, ...more] })
  }

  return {
    now,
    decide: async (command) => {
      const known = await recorded()
      if (E.isLeft(known)) return known
      const decided = await record(command)
      if (E.isRight(decided)) keeper?.keep(decided.right.state.inForce)
      return decided
    },
  }
}

/** A log that knows of the freeze has it in force, or its end. */
const isForgotten = ({ inForce, ended }: FreezeState, kept: Pick<FreezeDecision, 'scope' | 'merchantId' | 'at'>) =>
  !inForce.some((each) => isSameTarget(each, kept)) &&
  !ended.some((each) => isSameTarget(each, kept) && each.at >= kept.at)

/** Whether something of a merchant is frozen now. */
export const isFrozenNow = async (
  services: { readonly freezing: Freezing },
  of: FreezeScope,
  merchantId: string,
): Promise<E.Either<ExecuteFailure, boolean>> =>
  E.map((state: FreezeState) => isFrozen(state, of, merchantId))(await services.freezing.now())

export const ensureSelling = async (
  services: { readonly freezing: Freezing },
  merchantId: string,
): Promise<E.Either<ExecuteFailure | SalesFrozen, void>> => {
  const frozen = await isFrozenNow(services, 'sales', merchantId)
  if (E.isLeft(frozen)) return frozen
  return frozen.right ? E.left({ _tag: 'SalesFrozen' }) : E.right(undefined)
}
