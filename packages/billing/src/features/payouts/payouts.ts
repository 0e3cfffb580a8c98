import type { Stroops } from '@quittance/domain'
import { type Found, payouts as model, type PageRequest, type PayoutRow, type Scope } from '@quittance/projections'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { CommandContext } from '../../kernel/execute.ts'
import { retrieveExisting, type StoreUnavailable } from '../../kernel/load.ts'
import { type PayoutResource, payoutResource } from '../../resources/payout.ts'
import { type Listing, listed } from '../../services/listing.ts'
import { awaitedApproval } from '../limits/approval-of.ts'
import { type BalanceResource, balanceOf } from './balance.ts'
import { type CancelFailure, cancelPayout, type PayoutNotFound } from './cancel.ts'
import { type CollectedFees, type CollectFailure, collectFees } from './collect-fees.ts'
import { type PayoutDestinations, payoutDestinations } from './destinations.ts'
import type { ObserveFailure } from './funds.ts'
import { readMemo } from './memo.ts'
import { readPayout, readSchedule } from './read.ts'
import { type NewPayout, type PayoutFailure, requestPayout } from './request.ts'
import { type PayoutSchedules, payoutSchedules } from './schedules.ts'
import type { PayoutServices } from './services.ts'

/** Money that merchants withdraw. */
export interface Payouts {
  /** What callers write, as `request`, `destinations` and `schedules` take it. */
  readonly read: typeof readPayout
  readonly readMemo: typeof readMemo
  readonly readSchedule: typeof readSchedule
  readonly request: (context: CommandContext, wanted: NewPayout) => TE.TaskEither<PayoutFailure, PayoutResource>
  readonly cancel: (context: CommandContext, id: string) => TE.TaskEither<CancelFailure, PayoutResource>
  readonly retrieve: (scope: Scope, id: string) => TE.TaskEither<StoreUnavailable | PayoutNotFound, PayoutResource>
  /** All of the merchant's, or those of one asset. */
  readonly list: (page: PageRequest, assetId: string | null) => T.Task<Listing<PayoutResource>>
  /** Of XLM, and of each asset that the merchant accepts. */
  readonly balance: (scope: Scope) => TE.TaskEither<ObserveFailure, ReadonlyArray<BalanceResource>>
  /** Pays the operator what the merchant owes it, where that is at least so much of an asset. */
  readonly collectFees: (
    context: CommandContext,
    minimum: Stroops,
  ) => TE.TaskEither<CollectFailure, ReadonlyArray<CollectedFees>>
  readonly destinations: PayoutDestinations
  readonly schedules: PayoutSchedules
}

export const payouts = (services: PayoutServices): Payouts => {
  const show = async (found: Found<PayoutRow>): Promise<PayoutResource> =>
    payoutResource(found, found.row.status === 'pending' ? await awaitedApproval(services, found.id) : null)
  return {
    read: readPayout,
    readMemo,
    readSchedule,
    request: (context, wanted) => () => requestPayout(services, context, wanted),
    cancel: (context, id) => () => cancelPayout(services, context, id),
    retrieve: (scope, id) =>
      TE.chainTaskK((found: Found<PayoutRow>) => () => show(found))(() =>
        retrieveExisting(services.store)(model, id, scope, { _tag: 'PayoutNotFound' }),
      ),
    list: (page, assetId) => () => {
      const listedUnder = assetId === null ? {} : { listedUnder: assetId }
      return listed(services, services.readModels.payouts, { ...page, ...listedUnder }, show)
    },
    balance: (scope) => () => balanceOf(services, scope),
    collectFees: (context, minimum) => () => collectFees(services, context, minimum),
    destinations: payoutDestinations(services),
    schedules: payoutSchedules(services),
  }
}
