import { CustomerMerges } from '@quittance/domain'
import { customers, decodedBy } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { type CustomerResource, customerResource } from '../../resources/customer.ts'
import type { Services } from '../../services/services.ts'
import { lastOf, type Renderer, rowOf, streamAsOf } from './as-of.ts'

const decode = decodedBy(CustomerMerges)

/** Renders a customer right after it was merged into another one. */
export const renderMerged =
  (services: Pick<Services, 'store' | 'vault'>): Renderer<CustomerResource> =>
  async (publicEvent, merges) => {
    const { from, into } = decode(lastOf(merges)).data
    const customer = await streamAsOf(services, `${customers.category}-${from}`, publicEvent)
    if (E.isLeft(customer)) return customer
    const show = customerResource(services.vault)
    return E.right(await show(rowOf(customers, from, customer.right), { remaining: async () => into }))
  }
