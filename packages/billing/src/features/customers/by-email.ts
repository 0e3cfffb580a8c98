import { type KeyedHash, Reservation } from '@quittance/domain'
import type { CustomerRow, Found, Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { type StoreUnavailable, stateOf } from '../../kernel/load.ts'
import type { Services } from '../../services/services.ts'
import { livingCustomer } from './living.ts'

/** The customer who has an email now; null if nobody has. */
export const customerByEmail = async (
  { store }: Pick<Services, 'store'>,
  scope: Scope,
  hash: KeyedHash,
): Promise<E.Either<StoreUnavailable, Found<CustomerRow> | null>> => {
  const reservation = await stateOf(store)(Reservation, hash)
  if (E.isLeft(reservation)) return reservation
  const { state } = reservation.right
  if (state.status === 'free') return E.right(null)
  const customer = await livingCustomer({ store }, scope, state.owner)
  if (E.isRight(customer)) return E.right(customer.right.row.record.emailHash === hash ? customer.right : null)
  return customer.left._tag === 'CustomerNotFound' ? E.right(null) : E.left(customer.left)
}
