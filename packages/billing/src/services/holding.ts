import { Holds, type ScreeningCommand, type ScreeningState, standingOf } from '@quittance/domain'
import type { EventStore } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import { type Clock, deploymentTime } from '../kernel/clock.ts'
import { type ExecuteFailure, execute } from '../kernel/execute.ts'
import { platform } from '../kernel/platform.ts'
import { rememberedStates } from '../kernel/remembered.ts'
import type { Screening } from '../stores/screening/port.ts'
import type { SalesFrozen } from './freezing.ts'

/** The outgoing money and the charges that are held because of a screening. Every process reads it from the log. */
export interface Holding {
  readonly now: () => Promise<E.Either<ExecuteFailure, ScreeningState>>
  /** Answers the new state, and whether this has changed it. */
  readonly record: (
    command: ScreeningCommand,
  ) => Promise<E.Either<ExecuteFailure, { readonly state: ScreeningState; readonly isNew: boolean }>>
}

/** The events concern both environments; an event has to name one. */
const scope = { merchantId: platform, environment: 'testnet' as const }

export const holding = (store: EventStore, clock: Clock, freshId: () => string): Holding => {
  const stateOf = rememberedStates(store, Holds)
  return {
    now: () => stateOf(platform),
    record: async (command) => {
      const commandId = freshId()
      const actor = command.type === 'DecideHold' ? 'operator' : 'process'
      const at = deploymentTime(clock)
      const context = { ...scope, commandId, correlationId: commandId, causationId: null, actor, at }
      const recorded = await execute(store)(Holds, platform, context, Holds.decider.decide(command))
      if (E.isLeft(recorded)) return recorded
      const { state, events } = recorded.right
      return E.right({ state, isNew: events.at(-1)?.metadata.commandId === commandId })
    },
  }
}

/**
 * Rejects a sale to an address that is listed, or that nobody can ask about. Payers hear what they hear while sales are
 * frozen: it does not say whom a list names.
 */
export const ensureUnlisted = async (
  { screening }: { readonly screening: Screening },
  addresses: ReadonlyArray<string>,
): Promise<E.Either<SalesFrozen, void>> => {
  if (!screening.isOn || addresses.length === 0) return E.right(undefined)
  const listed = await screening.listed(addresses)()
  return E.isLeft(listed) || listed.right.size > 0 ? E.left({ _tag: 'SalesFrozen' }) : E.right(undefined)
}

/** Whether something that pays or charges an address has to wait. One that is listed is held until the operator decides. */
export const mustWait = async (
  { screening, holding }: { readonly screening: Screening; readonly holding: Holding },
  hold: Omit<Extract<ScreeningCommand, { readonly type: 'HoldMoney' }>, 'type'>,
): Promise<E.Either<ExecuteFailure, boolean>> => {
  const state = await holding.now()
  if (E.isLeft(state)) return state
  const standing = standingOf(state.right, hold.subject)
  if (standing !== 'unknown') return E.right(standing !== 'accepted')
  if (!screening.isOn) return E.right(false)
  const listed = await screening.listed([hold.address])()
  if (E.isLeft(listed)) return E.right(true)
  if (!listed.right.has(hold.address)) return E.right(false)
  return E.map(() => true)(await holding.record({ type: 'HoldMoney', ...hold }))
}
