import type { ExceptionKind } from '@quittance/domain'
import { exceptions as model, type PageRequest, type Scope } from '@quittance/projections'
import { pipe } from 'fp-ts/lib/function.js'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { orNotFound, retrieveLater, type StoreUnavailable } from '../../kernel/load.ts'
import { type ExceptionResource, exceptionResource } from '../../resources/exception.ts'
import { type Listing, listed } from '../../services/listing.ts'
import type { Services } from '../../services/services.ts'
import { type ExceptionNotFound, resolveException } from './resolve.ts'

export interface Exceptions {
  readonly resolve: ReturnType<typeof resolveException>
  readonly retrieve: (
    scope: Scope,
    id: string,
  ) => TE.TaskEither<StoreUnavailable | ExceptionNotFound, ExceptionResource>
  /** All of the merchant's, or those of one kind. */
  readonly list: (page: PageRequest, kind: ExceptionKind | null) => T.Task<Listing<ExceptionResource>>
}

/** Money that came and does not fit. */
export const exceptions = (services: Services): Exceptions => ({
  resolve: resolveException(services),
  retrieve: (scope, id) =>
    pipe(
      retrieveLater(services.store)(model, id, scope),
      TE.chainEitherKW(orNotFound<ExceptionNotFound>({ _tag: 'ExceptionNotFound' })),
      TE.map(exceptionResource),
    ),
  list: (page, kind) => () =>
    listed(
      services,
      services.readModels.exceptions,
      { ...page, ...(kind === null ? {} : { listedUnder: kind }) },
      exceptionResource,
    ),
})
