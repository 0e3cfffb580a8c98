import type { IntentClass } from '../intent/index.ts'
import type { UnixMs } from '../shared/units.ts'
import type { Closing, FreezeDecision, FreezeEvent, FreezeScope } from './events.ts'

/** The freezes in force, oldest first, the last decision that ended each freeze that is not, and who closes or has closed. */
export type FreezeState = {
  readonly inForce: ReadonlyArray<FreezeDecision>
  readonly ended: ReadonlyArray<FreezeDecision>
  readonly closing: ReadonlyArray<Closing>
}

export const initial: FreezeState = { inForce: [], ended: [], closing: [] }

type Target = Pick<FreezeDecision, 'scope' | 'merchantId'>

/** Whether two freezes stop the same. */
export const isSameTarget = (one: Target, other: Target): boolean =>
  one.scope === other.scope && one.merchantId === other.merchantId

export const evolve = (state: FreezeState, { type, data }: FreezeEvent): FreezeState => {
  if (type === 'MerchantClosingBegun') return { ...state, closing: [...state.closing, data] }
  const { inForce, ended } = state
  const without = (list: FreezeState['ended']) => list.filter((each) => !isSameTarget(each, data))
  switch (type) {
    case 'Frozen':
      return { ...state, inForce: [...without(inForce), data], ended: without(ended) }
    case 'Unfrozen':
      return { ...state, inForce: without(inForce), ended: [...without(ended), data] }
  }
}

/** The closing of a merchant; null where it is open. */
export const closingOf = ({ closing }: FreezeState, merchant: string): Closing | null =>
  closing.find(({ merchantId }) => merchantId === merchant) ?? null

/** Whether something of a merchant is stopped: by a freeze of this merchant or of all, or because the merchant closes. */
export const isFrozen = (state: FreezeState, scope: FreezeScope, merchant: string): boolean =>
  (scope === 'sales' && closingOf(state, merchant) !== null) || isFrozenByDecision(state, scope, merchant)

const isFrozenByDecision = ({ inForce }: FreezeState, scope: FreezeScope, merchant: string): boolean =>
  inForce.some((each) => isAbout(each, scope, merchant))

const isAbout = (each: FreezeDecision, scope: FreezeScope, merchant: string): boolean =>
  (each.scope === scope || each.scope === 'everything') &&
  (each.merchantId === undefined || each.merchantId === merchant)

/** When something of a merchant was last allowed again; null if it was never stopped, or is stopped now. */
export const lastUnfrozenAt = ({ ended }: FreezeState, scope: FreezeScope, merchant: string): UnixMs | null => {
  const times = ended.filter((each) => isAbout(each, scope, merchant)).map(({ at }) => at)
  return times.reduce<UnixMs | null>((last, at) => (last === null || at > last ? at : last), null)
}

/** The freeze that keeps money of this class from moving; null for what moves no money of customers or merchants. */
export const freezeScopeOf = (of: IntentClass): FreezeScope | null => {
  switch (of) {
    case 'charge':
      return 'charges'
    case 'payout':
    case 'refund':
    case 'return':
      return 'payouts'
    case 'cancellation':
    case 'set_up':
    case 'rotation':
    case 'upkeep':
    case 'anchor':
      return null
  }
}
