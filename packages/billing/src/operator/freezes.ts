import {
  asText,
  closingOf,
  type FreezeDecision,
  type FreezeScope,
  freezeScopeOf,
  type IntentClass,
  isFrozen,
  Merchant,
  type Text,
} from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { MerchantNotFound } from '../features/settlement-account/change-assets.ts'
import { deploymentTime } from '../kernel/clock.ts'
import type { ExecuteFailure } from '../kernel/execute.ts'
import { stateOf } from '../kernel/load.ts'
import type { Services } from '../services/services.ts'

/** What the operator wants to stop or allow. `merchantId`: null for all merchants, of whom not `everything` is stopped. */
export type FreezeRequest = {
  readonly scope: FreezeScope
  readonly merchantId: string | null
  readonly by: Text
  readonly reason: Text
}

/** A decision. `isNew`: whether it changed anything; `waiting`: how many movements of money it stops or allows. */
export type FreezeOutcome = { readonly isNew: boolean; readonly waiting: number }

/** A freeze in force, and how many movements of money wait for its end. */
export type FreezeInForce = FreezeDecision & { readonly waiting: number }

/** Everything is frozen for one merchant at a time. */
type MerchantNeeded = { readonly _tag: 'MerchantNeeded' }

export type FreezeFailure = ExecuteFailure | MerchantNotFound | MerchantNeeded

/** Stops and allows sales, charges and payouts. Every process reads the decision before it acts. */
export interface FreezeSwitch {
  readonly freeze: (request: FreezeRequest) => TE.TaskEither<FreezeFailure, FreezeOutcome>
  readonly unfreeze: (request: FreezeRequest) => TE.TaskEither<FreezeFailure, FreezeOutcome>
  readonly inForce: TE.TaskEither<ExecuteFailure, ReadonlyArray<FreezeInForce>>
  /** Why the merchant's keys change nothing in an environment at present; null if they may. */
  readonly refusalOf: (scope: Scope) => TE.TaskEither<ExecuteFailure, 'suspended' | 'closed' | null>
}

type FreezeServices = Pick<Services, 'store' | 'readModels' | 'caughtUp' | 'freezing' | 'clock'>

export const freezeSwitch = (services: FreezeServices): FreezeSwitch => ({
  freeze: (request) => () => decide(services, 'Freeze', request),
  unfreeze: (request) => () => decide(services, 'Unfreeze', request),
  refusalOf:
    ({ merchantId, environment }) =>
    async () => {
      const found = await services.freezing.now()
      if (E.isLeft(found)) return found
      const closing = closingOf(found.right, merchantId)
      if (closing !== null && services.clock.now(environment) >= closing.refundsUntil) return E.right('closed')
      return E.right(isFrozen(found.right, 'everything', merchantId) ? 'suspended' : null)
    },
  inForce: async () => {
    const found = await services.freezing.now()
    if (E.isLeft(found)) return found
    const caught = await services.caughtUp.withLog()
    if (E.isLeft(caught)) return caught
    return E.right(found.right.inForce.map((freeze) => ({ ...freeze, waiting: waitingFor(services, freeze) })))
  },
})

const decide = async (
  services: FreezeServices,
  type: 'Freeze' | 'Unfreeze',
  { merchantId, ...request }: FreezeRequest,
): Promise<E.Either<FreezeFailure, FreezeOutcome>> => {
  if (merchantId === null && request.scope === 'everything') return E.left({ _tag: 'MerchantNeeded' })
  if (merchantId !== null) {
    const merchant = await stateOf(services.store)(Merchant, merchantId)
    if (E.isLeft(merchant)) return merchant
    if (merchant.right.state.status === 'absent') return E.left({ _tag: 'MerchantNotFound' })
  }
  const target = merchantId === null ? {} : { merchantId: asText(merchantId) }
  const at = deploymentTime(services.clock)
  const decided = await services.freezing.decide({ type, ...request, at, ...target })
  if (E.isLeft(decided)) return decided
  const caught = await services.caughtUp.withLog()
  if (E.isLeft(caught)) return caught
  return E.right({ isNew: decided.right.isRecorded, waiting: waitingFor(services, { ...request, ...target }) })
}

/** The movements of money that wait and that a freeze would stop. */
const waitingFor = (
  { readModels: { intents } }: Pick<Services, 'readModels'>,
  { scope, merchantId }: Pick<FreezeDecision, 'scope' | 'merchantId'>,
): number => {
  let waiting = 0
  for (const environment of ['testnet', 'mainnet'] as const) {
    const owners = merchantId === undefined ? intents.ownersDue(environment, 0, Number.MAX_SAFE_INTEGER) : [merchantId]
    for (const owner of owners)
      for (const { row } of intents.ofStatus({ merchantId: owner, environment }, 'waiting'))
        if (stopsClass(scope, row.details.class)) waiting += 1
  }
  return waiting
}

const stopsClass = (scope: FreezeScope, of: IntentClass): boolean => {
  const stoppedBy = freezeScopeOf(of)
  return stoppedBy !== null && (stoppedBy === scope || scope === 'everything')
}
