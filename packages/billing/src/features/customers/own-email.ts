import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type { StoreUnavailable } from '../../kernel/load.ts'
import type { Services } from '../../services/services.ts'
import { livingCustomer } from './living.ts'
import { emailHash } from './look-up.ts'

/** A customer was named by id together with an email that is not theirs: which of two people pays is not known. */
export type EmailOfAnother = { readonly _tag: 'EmailOfAnother'; readonly customerId: string }

/** Passes if the email is that of the customer, or of one who was merged with them. */
export const ensureOwnEmail = async (
  services: Pick<Services, 'store' | 'readModels' | 'vault'>,
  scope: Scope,
  customerId: string,
  email: string,
): Promise<E.Either<StoreUnavailable | EmailOfAnother, void>> => {
  const hash = await emailHash(services.vault, scope, email)
  for (const each of await services.readModels.customerFamily.allOf(customerId)) {
    const found = await livingCustomer(services, scope, each)
    if (E.isLeft(found) && found.left._tag === 'StoreUnavailable') return E.left(found.left)
    if (E.isRight(found) && found.right.row.record.emailHash === hash) return E.right(undefined)
  }
  return E.left({ _tag: 'EmailOfAnother', customerId })
}
