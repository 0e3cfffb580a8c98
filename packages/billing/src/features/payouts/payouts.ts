import { payouts as model, type PageRequest, type Scope } from '@quittance/projections'
import { pipe } from 'fp-ts/lib/function.js'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { orNotFound, retrieveLater, type StoreUnavailable } from '../../kernel/load.ts'
import { type PayoutResource, payoutResource } from '../../resources/payout.ts'
import { type Listing, listed } from '../../services/listing.ts'
import type { Services } from '../../services/services.ts'
import { balanceOf } from './balance.ts'
import { cancelPayout, type PayoutNotFound } from './cancel.ts'
import { type PayoutDestinations, payoutDestinations } from './destinations.ts'
import { readMemo } from './memo.ts'
import { readPayout, readSchedule } from './read.ts'
import { requestPayout } from './request.ts'
import { type PayoutSchedules, payoutSchedules } from './schedules.ts'

export interface Payouts {
  /** What callers write, as `request`, `destinations` and `schedules` take it. */
  readonly read: typeof readPayout
  readonly readMemo: typeof readMemo
  readonly readSchedule: typeof readSchedule
  readonly request: ReturnType<typeof requestPayout>
  readonly cancel: ReturnType<typeof cancelPayout>
  readonly retrieve: (scope: Scope, id: string) => TE.TaskEither<StoreUnavailable | PayoutNotFound, PayoutResource>
  /** All of the merchant's, or those of one asset. */
  readonly list: (page: PageRequest, assetId: string | null) => T.Task<Listing<PayoutResource>>
  readonly balance: ReturnType<typeof balanceOf>
  readonly destinations: PayoutDestinations
  readonly schedules: PayoutSchedules
}

/** Money that merchants withdraw. */
export const payouts = (services: Services): Payouts => ({
  read: readPayout,
  readMemo,
  readSchedule,
  request: requestPayout(services),
  cancel: cancelPayout(services),
  retrieve: (scope, id) =>
    pipe(
      retrieveLater(services.store)(model, id, scope),
      TE.chainEitherKW(orNotFound<PayoutNotFound>({ _tag: 'PayoutNotFound' })),
      TE.map(payoutResource),
    ),
  list: (page, assetId) => () =>
    listed(
      services,
      services.readModels.payouts,
      { ...page, ...(assetId === null ? {} : { listedUnder: assetId }) },
      payoutResource,
    ),
  balance: balanceOf(services),
  destinations: payoutDestinations(services),
  schedules: payoutSchedules(services),
})
