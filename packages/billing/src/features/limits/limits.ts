import {
  ApiKeyId,
  asText,
  type Cents,
  cents,
  LimitScope,
  type LimitSetter,
  Limits,
  type LimitsState,
  Merchant,
  type MerchantState,
} from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { type CommandContext, type ExecuteFailure, execute } from '../../kernel/execute.ts'
import { stateOf } from '../../kernel/load.ts'
import { type LimitsResource, limitsResource } from '../../resources/limits.ts'
import { lastAcceptance, limitsId } from './admit.ts'
import { holderIn } from './holder.ts'
import type { LimitServices } from './services.ts'

/** `amount`: null for no limit. */
export type NewLimit = {
  readonly setter: LimitSetter
  readonly scope: LimitScope
  readonly amount: Cents | null
}

/** The merchant has no such key in the environment. */
export type LimitedKeyNotFound = { readonly _tag: 'LimitedKeyNotFound' }

export type LimitFailure = ExecuteFailure | LimitedKeyNotFound

/** How much may go out in 24 hours without an approval. */
export interface OutflowLimits {
  /** A lower limit counts at once, a higher one after a day. Answers all limits. */
  readonly set: (context: CommandContext, limit: NewLimit) => TE.TaskEither<LimitFailure, LimitsResource>
  /** What callers write: `scope` and an amount of dollars as `set` takes them. Throws for anything else. */
  readonly read: (written: { readonly scope: string; readonly amount: string | null }) => Omit<NewLimit, 'setter'>
  readonly retrieve: (scope: Scope) => TE.TaskEither<ExecuteFailure, LimitsResource>
}

export const outflowLimits = (services: LimitServices): OutflowLimits => ({
  set: (context, limit) => () => setLimit(services, context, limit),
  read: ({ scope, amount }) => ({
    scope: decodeOrThrow(LimitScope, scope),
    amount: amount === null ? null : centsFrom(amount),
  }),
  retrieve: (scope) => async () => {
    const limits = await stateOf(services.store)(Limits, limitsId(scope))
    return E.isLeft(limits) ? limits : show(services, scope, limits.right.state)
  },
})

const centsFrom = (dollars: string): Cents => {
  const [whole = '', fraction = ''] = dollars.split('.')
  return cents(BigInt(whole) * 100n + BigInt(fraction.padEnd(2, '0')))
}

const setLimit = async (
  services: LimitServices,
  context: CommandContext,
  { setter, scope, amount }: NewLimit,
): Promise<E.Either<LimitFailure, LimitsResource>> => {
  const merchant = await stateOf(services.store)(Merchant, context.merchantId)
  if (E.isLeft(merchant)) return merchant
  const limited = scopeIn(merchant.right.state, context, scope)
  if (limited === null) return E.left({ _tag: 'LimitedKeyNotFound' })
  const acceptedAt = await lastAcceptance(services)
  if (E.isLeft(acceptedAt)) return acceptedAt
  // Not the time of the context: a request that is repeated a day later has that of its first attempt.
  const at = services.clock.now(context.environment)
  const { actor } = context
  const wanted = { setter, scope: limited, amount, at, by: asText(actor), acceptedAt: acceptedAt.right }
  const decide = Limits.decider.decide({ type: 'SetLimit', ...wanted })
  const set = await execute(services.store)(Limits, limitsId(context), context, decide)
  return E.isLeft(set) ? set : show(services, context, set.right.state)
}

/** A limit of a key holds for those that take its place, too. Null for an unknown key. */
const scopeIn = (merchant: MerchantState, { environment }: Scope, scope: LimitScope): LimitScope | null => {
  if (scope === 'merchant' || scope === 'each_key') return scope
  const keys = merchant.status === 'active' ? merchant.apiKeys : []
  if (!keys.some((each) => each.keyId === scope && each.environment === environment)) return null
  const holder: string = holderIn(merchant, scope)
  return ApiKeyId.is(holder) ? holder : null
}

const show = async (
  services: LimitServices,
  scope: Scope,
  state: LimitsState,
): Promise<E.Either<ExecuteFailure, LimitsResource>> => {
  const acceptedAt = await lastAcceptance(services)
  if (E.isLeft(acceptedAt)) return acceptedAt
  return E.right(limitsResource(scope, state, services.clock.now(scope.environment), acceptedAt.right))
}
