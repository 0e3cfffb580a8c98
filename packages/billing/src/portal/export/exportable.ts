import type { RecordedEvent, UnixMs } from '@quittance/domain'
import { type CustomerRow, customers, type Found, type Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { CustomerNotFound } from '../../features/customers/living.ts'
import { isIn, rowFrom, type StoreUnavailable } from '../../kernel/load.ts'
import type { Services } from '../../services/services.ts'

/** Nobody can read what was kept about this customer. `at` is null where the log believes that the customer lives. */
export type CustomerErased = { readonly _tag: 'CustomerErased'; readonly at: UnixMs | null }

export type Exportable = { readonly found: Found<CustomerRow>; readonly events: ReadonlyArray<RecordedEvent> }

/** A customer who lives, with the stored events. */
export const exportable = async (
  { store, vault }: Pick<Services, 'store' | 'vault'>,
  scope: Scope,
  id: string,
): Promise<E.Either<StoreUnavailable | CustomerNotFound | CustomerErased, Exportable>> => {
  const slice = await store.readStream(`${customers.category}-${id}`)()
  if (E.isLeft(slice)) return slice
  const { events } = slice.right
  const found = O.toNullable(rowFrom(customers, id, events))
  if (found === null || !isIn(scope, found)) return E.left({ _tag: 'CustomerNotFound' })
  if (found.row.status === 'deleted') return E.left({ _tag: 'CustomerErased', at: found.row.updatedAt })
  if ((await vault.erased()).includes(id)) return E.left({ _tag: 'CustomerErased', at: null })
  return E.right({ found, events })
}
