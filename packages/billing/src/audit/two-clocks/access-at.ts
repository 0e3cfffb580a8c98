import { Customer, Product, type UnixMs } from '@quittance/domain'
import type { EventStore } from '@quittance/event-store'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type AccessResult, access } from '../../access/access.ts'
import type { NoSuchPair } from '../../features/customers/customer-and-product.ts'
import type { Services } from '../../services/services.ts'
import type { Moment } from './moment.ts'
import { servicesAt } from './services-at.ts'

/** Whether a customer had access to a product at the moment; for one that lies ahead, by what was known. */
export type AccessAt = (scope: Scope, customerId: string, productId: string) => TE.TaskEither<NoSuchPair, AccessResult>

/**
 * Answers by the events of the moment, but for payments, which say themselves from when to when they give access. Before the
 * customer and the product were made there is no access; after the customer was deleted there is no such customer.
 */
export const accessAt = (services: Services, { at, knownAt }: Moment): AccessAt => {
  const known = servicesAt(services, { at: null, knownAt })
  if (at === null) return access(known)
  const then = servicesAt(services, { at, knownAt })
  const now = (environment: Scope['environment']): UnixMs => {
    const newest = known.clock.now(environment)
    return at < newest ? at : newest
  }
  const answer = access({
    ...then,
    store: withWhatCameLater(then.store, known.store),
    readModels: { ...then.readModels, access: known.readModels.access },
    clock: { now },
  })
  return (scope, customerId, productId) => answer(scope, customerId, productId, at)
}

/** The log at a moment, with products and customers who were made later. */
const withWhatCameLater = (then: EventStore, known: EventStore): EventStore => ({
  ...then,
  readStream: (stream, ...from) => {
    if (stream.startsWith(`${Product.category}-`)) return known.readStream(stream, ...from)
    if (!stream.startsWith(`${Customer.category}-`)) return then.readStream(stream, ...from)
    return async () => {
      const slice = await then.readStream(stream, ...from)()
      return E.isRight(slice) && slice.right.events.length === 0 ? known.readStream(stream, ...from)() : slice
    }
  },
})
