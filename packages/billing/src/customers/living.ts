import { type CustomerRow, customers, type Found, type Scope } from '@quittance/projections'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { orNotFound, retrieve, type StoreUnavailable } from '../load.ts'
import type { Services } from '../services.ts'

export type CustomerNotFound = { readonly _tag: 'CustomerNotFound' }

/** A customer who is not deleted. */
export const livingCustomer =
  ({ store }: Services) =>
  (scope: Scope, id: string): TE.TaskEither<StoreUnavailable | CustomerNotFound, Found<CustomerRow>> =>
    pipe(
      retrieve(store)(customers, id, scope),
      TE.map(O.filter((found: Found<CustomerRow>) => found.row.status === 'living')),
      TE.chainEitherKW(orNotFound<CustomerNotFound>({ _tag: 'CustomerNotFound' })),
    )
