import {
  type FreezeState,
  freezeScopeOf,
  type IntentClass,
  isFrozen,
  lastUnfrozenAt,
  type TransactionDetails,
} from '@quittance/domain'
import type { Found, IntentRow } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type { ExecuteFailure } from '../../kernel/execute.ts'
import type { Freezing } from '../../services/freezing.ts'
import { itemsOf, type Ours, type Outgoing } from './outgoing.ts'

/** Whether the operator has stopped what an intent would move. */
export type IsFrozen = (intent: Found<IntentRow>) => boolean

/** What is frozen, and since when an intent waits freely: since `since`, or since its last freeze ended. */
export type Frozen = {
  readonly isFrozen: IsFrozen
  readonly waitsSince: (intent: Found<IntentRow>, since: number) => number
}

/** Reads what is frozen. */
export const frozenNow = async (services: { readonly freezing: Freezing }): Promise<E.Either<ExecuteFailure, Frozen>> =>
  E.map(
    (state: FreezeState): Frozen => ({
      isFrozen: ({ merchantId, row }) => isClassFrozen(state, row.details.class, merchantId),
      waitsSince: ({ merchantId, row }, since) => {
        const scope = freezeScopeOf(row.details.class)
        return Math.max(since, (scope === null ? null : lastUnfrozenAt(state, scope, merchantId)) ?? since)
      },
    }),
  )(await services.freezing.now())

/** Whether a transaction of ours would move something that is frozen now. */
export const holdsFrozen = async (
  { services }: Pick<Outgoing, 'services'>,
  ours: Ours,
  { class: of, intents }: TransactionDetails,
): Promise<E.Either<ExecuteFailure, boolean>> => {
  const state = await services.freezing.now()
  if (E.isLeft(state)) return state
  const merchants = state.right.inForce.length === 0 ? [] : await itemsOf(services, ours, intents)
  return E.right(merchants.some(({ merchantId }) => isClassFrozen(state.right, of, merchantId)))
}

const isClassFrozen = (state: FreezeState, of: IntentClass, merchantId: string): boolean => {
  const scope = freezeScopeOf(of)
  return scope !== null && isFrozen(state, scope, merchantId)
}
