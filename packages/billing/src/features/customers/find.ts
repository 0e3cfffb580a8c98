import type { CustomerRow, Found, PageRequest } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type { StoreUnavailable } from '../../kernel/load.ts'
import { type CustomerResource, customerResource } from '../../resources/customer.ts'
import { type Listing, listed } from '../../services/listing.ts'
import type { Services } from '../../services/services.ts'
import { customerByEmail } from './by-email.ts'
import { emailHash, phoneHash } from './look-up.ts'

/** An email and a phone number to look for, in any spelling that compares as equal; null is any. */
export type Sought = { readonly email: string | null; readonly phone: string | null }

type Outcome = Promise<E.Either<StoreUnavailable, Listing<CustomerResource>>>

/**
 * Pages of the living customers with an email and a phone number. An email leads by its reservation to one customer at
 * most, and a phone number by the read model to all who have it.
 */
export const findCustomers =
  (services: Pick<Services, 'store' | 'vault' | 'readModels' | 'caughtUp'>) =>
  (page: PageRequest, { email, phone }: Sought) =>
  async (): Outcome => {
    const { vault, readModels } = services
    const shown = customerResource(vault)
    const show = (found: Found<CustomerRow>) => shown(found, readModels.customerFamily)
    const hash = phone === null ? null : await phoneHash(vault, page, phone)
    if (email === null) {
      const filters = { status: 'living', ...(hash === null ? {} : { lookupKey: hash }) }
      return E.right(await listed(services, readModels.customers, { ...page, ...filters }, show))
    }
    await services.caughtUp.withOwnWrites(page.merchantId)
    const found = await customerByEmail(services, page, await emailHash(vault, page, email))
    if (E.isLeft(found)) return found
    const [holder, isSought] = [found.right, hash === null || found.right?.row.record.phoneHash === hash]
    const isHere = holder !== null && isSought && isOnPage(page, holder)
    return E.right({ resources: isHere ? [await show(holder)] : [], hasMore: false })
  }

const isOnPage = (
  { startingAfter, endingBefore, createdFrom, createdBefore }: PageRequest,
  { id, row }: Found<CustomerRow>,
): boolean =>
  (startingAfter === undefined || id < startingAfter) &&
  (endingBefore === undefined || id > endingBefore) &&
  (createdFrom === undefined || row.createdAt >= createdFrom) &&
  (createdBefore === undefined || row.createdAt < createdBefore)
