import { type Found, refunds as model, type PageRequest, type RefundRow, type Scope } from '@quittance/projections'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { CommandContext } from '../../kernel/execute.ts'
import { retrieveExisting, type StoreUnavailable } from '../../kernel/load.ts'
import { type RefundResource, refundResource } from '../../resources/refund.ts'
import { awaitsSignature } from '../../services/custody.ts'
import { type Listing, listed } from '../../services/listing.ts'
import { awaitedApproval } from '../limits/approval-of.ts'
import { type CancelRefundFailure, cancelRefund, type RefundNotFound } from './cancel.ts'
import { type NewRefund, type RefundFailure, requestRefund } from './request.ts'
import type { RefundServices } from './services.ts'

/** Payments that are given back, whole. */
export interface Refunds {
  readonly request: (context: CommandContext, wanted: NewRefund) => TE.TaskEither<RefundFailure, RefundResource>
  /** Possible as long as it waits. */
  readonly cancel: (context: CommandContext, id: string) => TE.TaskEither<CancelRefundFailure, RefundResource>
  readonly retrieve: (scope: Scope, id: string) => TE.TaskEither<StoreUnavailable | RefundNotFound, RefundResource>
  /** All of the merchant's, or those of one payment. */
  readonly list: (page: PageRequest, paymentId: string | null) => T.Task<Listing<RefundResource>>
}

export const refunds = (services: RefundServices): Refunds => {
  const { store, readModels } = services
  const show = async (found: Found<RefundRow>): Promise<RefundResource> => {
    const isPending = found.row.status === 'pending'
    const isSignatureNeeded = isPending && (await awaitsSignature(readModels, found.environment, found.id))
    return refundResource(found, isSignatureNeeded, isPending ? await awaitedApproval(services, found.id) : null)
  }
  return {
    request: (context, wanted) => () => requestRefund(services, context, wanted),
    cancel: (context, id) => () => cancelRefund(services, context, id),
    retrieve: (scope, id) =>
      TE.chainTaskK((found: Found<RefundRow>) => () => show(found))(() =>
        retrieveExisting(store)(model, id, scope, { _tag: 'RefundNotFound' }),
      ),
    list: (page, paymentId) => () => {
      const listedUnder = paymentId === null ? {} : { listedUnder: paymentId }
      return listed(services, readModels.refunds, { ...page, ...listedUnder }, show)
    },
  }
}
