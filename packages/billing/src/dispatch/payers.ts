import { type AccountId, type Environment, IntentId } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import type * as E from 'fp-ts/lib/Either.js'
import type { Outgoing } from '../features/outgoing/outgoing.ts'
import { type ChannelAccount, type OwnAccount, ownAccountAt } from '../features/outgoing/signing-accounts.ts'
import { whileWaiting } from '../features/outgoing/waiting.ts'
import { eachIsolated } from '../services/each-isolated.ts'
import type { ProcessFailure } from '../services/process-failure.ts'
import type { Item } from '../stores/setbacks/setbacks.ts'

type Payer = Scope & { readonly source: AccountId }

export type Payers = {
  readonly of: (payer: Payer) => OwnAccount | null
  /** Sets back the accounts whose keys could not be read. */
  readonly report: (environment: Environment) => Promise<E.Either<ProcessFailure, void>>
}

/** The paying accounts that the vault has keys of, each looked up once. Raises a trouble for each other one. */
export const payersOf = (
  { services, raise, weightless }: Outgoing,
  channels: ReadonlyArray<ChannelAccount>,
): Payers => {
  const known = new Map<AccountId, OwnAccount | null>()
  const troubled: Array<Item & { readonly defect: unknown }> = []
  return {
    of: ({ source, ...scope }) => {
      const found = known.get(source)
      if (found !== undefined) return found
      known.set(source, null)
      if (weightless.has(source)) return null
      try {
        const own = ownAccountAt(services, scope, channels, source)
        known.set(source, own)
        if (own === null) raise({ _tag: 'CannotSign', account: source, cause: 'the vault has no key for it' })
        return own
      } catch (defect) {
        troubled.push({ merchantId: scope.merchantId, environment: scope.environment, id: source, defect })
        return null
      }
    },
    report: (environment) =>
      eachIsolated(services, environment, {
        loop: 'dispatch',
        items: troubled,
        again: whileAnyWaits(services),
        work: ({ defect }) => Promise.reject(defect),
      }),
  }
}

/** A setback stays while its intent, or any intent of its merchant, waits. */
export const whileAnyWaits =
  ({ readModels }: Pick<Outgoing['services'], 'readModels'>) =>
  ({ merchantId, environment, id }: Item): null | undefined => {
    if (IntentId.is(id)) return whileWaiting({ readModels })({ merchantId, environment, id })
    const { rows } = readModels.intents.page({ merchantId, environment, status: 'waiting', limit: 1 })
    return rows.length > 0 ? undefined : null
  }
