import type { ExceptionKind } from '@quittance/domain'
import { exceptions as model, type PageRequest, type Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as T from 'fp-ts/lib/Task.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { CommandContext } from '../../kernel/execute.ts'
import { retrieveExisting, type StoreUnavailable } from '../../kernel/load.ts'
import { type ExceptionResource, exceptionResource } from '../../resources/exception.ts'
import { type Listing, listed } from '../../services/listing.ts'
import { type CancelReturnFailure, cancelReturn } from './cancel-return.ts'
import { type ExceptionNotFound, type Resolution, type ResolveFailure, resolveException } from './resolve.ts'
import type { ExceptionServices } from './services.ts'

/** Money that came and does not fit. */
export interface Exceptions {
  readonly resolve: (
    context: CommandContext,
    id: string,
    resolution: Resolution,
  ) => TE.TaskEither<ResolveFailure, ExceptionResource>
  /** Possible as long as the return waits. */
  readonly cancelReturn: (context: CommandContext, id: string) => TE.TaskEither<CancelReturnFailure, ExceptionResource>
  readonly retrieve: (
    scope: Scope,
    id: string,
  ) => TE.TaskEither<StoreUnavailable | ExceptionNotFound, ExceptionResource>
  /** All of the merchant's, or those of one kind. */
  readonly list: (page: PageRequest, kind: ExceptionKind | null) => T.Task<Listing<ExceptionResource>>
}

export const exceptions = (services: ExceptionServices): Exceptions => ({
  resolve: (context, id, resolution) => () => resolveException(services, context, id, resolution),
  cancelReturn: (context, id) => () => cancelReturn(services, context, id),
  retrieve: (scope, id) => async () =>
    E.map(exceptionResource)(await retrieveExisting(services.store)(model, id, scope, { _tag: 'ExceptionNotFound' })),
  list: (page, kind) => () => {
    const listedUnder = kind === null ? {} : { listedUnder: kind }
    return listed(services, services.readModels.exceptions, { ...page, ...listedUnder }, exceptionResource)
  },
})
