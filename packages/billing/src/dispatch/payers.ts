import { type Environment, IntentId } from '@quittance/domain'
import type { Found, IntentRow } from '@quittance/projections'
import type * as E from 'fp-ts/lib/Either.js'
import type { Outgoing } from '../features/outgoing/outgoing.ts'
import { type ChannelAccount, type OwnAccount, ownAccountAt } from '../features/outgoing/signing-accounts.ts'
import { whileWaiting } from '../features/outgoing/waiting.ts'
import { eachIsolated } from '../services/each-isolated.ts'
import type { ProcessFailure } from '../services/process-failure.ts'
import type { Item } from '../stores/setbacks/setbacks.ts'

export type Payers = {
  readonly of: (intent: Found<IntentRow>) => Promise<OwnAccount | null>
  /** Sets back the accounts whose keys could not be read. */
  readonly report: (environment: Environment) => Promise<E.Either<ProcessFailure, void>>
}

/**
 * The paying accounts that the vault has keys of, each looked up once for what a merchant's intents want of it. Raises a trouble
 * for each account that may not sign.
 */
export const payersOf = (
  { services, raise, weightless }: Outgoing,
  channels: ReadonlyArray<ChannelAccount>,
): Payers => {
  const known = new Map<string, OwnAccount | null>()
  const troubled = new Map<string, Item & { readonly defect: unknown }>()
  return {
    of: async ({ merchantId, environment, row }) => {
      const { source, action } = row.details
      const name = [merchantId, source, action._tag].join()
      const found = known.get(name)
      if (found !== undefined) return found
      known.set(name, null)
      if (weightless.has(source)) return null
      try {
        const own = await ownAccountAt(services, { merchantId, environment }, channels, source, action._tag)
        known.set(name, own)
        if (own === null)
          raise({ _tag: 'CannotSign', account: source, cause: 'no key of the vault may sign this for it' })
        return own
      } catch (defect) {
        troubled.set([merchantId, source].join(), { merchantId, environment, id: source, defect })
        return null
      }
    },
    report: (environment) =>
      eachIsolated(services, environment, {
        loop: 'dispatch',
        items: [...troubled.values()],
        again: whileAnyWaits(services),
        work: ({ defect }) => Promise.reject(defect),
      }),
  }
}

/** A setback stays while its intent, or any intent of its merchant, waits. */
export const whileAnyWaits =
  ({ readModels }: Pick<Outgoing['services'], 'readModels'>) =>
  async ({ merchantId, environment, id }: Item): Promise<null | undefined> => {
    if (IntentId.is(id)) return whileWaiting({ readModels })({ merchantId, environment, id })
    const { rows } = await readModels.intents.page({ merchantId, environment, status: 'waiting', limit: 1 })
    return rows.length > 0 ? undefined : null
  }
