import {
  type AssetId,
  PayoutBook,
  type PayoutBookState,
  PayoutDestinationId,
  type PayoutInterval,
  type Stroops,
} from '@quittance/domain'
import { payoutSchedules as model, type Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as T from 'fp-ts/lib/Task.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { CommandContext, Executed, ExecuteFailure } from '../../kernel/execute.ts'
import { rowAfter, type StoreUnavailable } from '../../kernel/load.ts'
import { bookId } from '../../kernel/payout-book.ts'
import { step } from '../../kernel/step.ts'
import { type PayoutScheduleResource, payoutScheduleResource } from '../../resources/payout-schedule.ts'
import type { Services } from '../../services/services.ts'
import type { PayoutDestinationNotFound } from './destinations.ts'
import { destinationOf } from './target.ts'

export type NewSchedule = {
  readonly assetId: AssetId
  readonly interval: PayoutInterval
  readonly reserve: Stroops
  readonly destination: string
}

export type PayoutScheduleNotFound = { readonly _tag: 'PayoutScheduleNotFound' }

export type ScheduleFailure = ExecuteFailure | StoreUnavailable | PayoutDestinationNotFound | PayoutScheduleNotFound

/** Schedules by which assets are paid out automatically, at most one for each asset. */
export interface PayoutSchedules {
  readonly set: (context: CommandContext, wanted: NewSchedule) => TE.TaskEither<ScheduleFailure, PayoutScheduleResource>
  readonly remove: (context: CommandContext, assetId: AssetId) => TE.TaskEither<ScheduleFailure, void>
  readonly list: (scope: Scope) => T.Task<ReadonlyArray<PayoutScheduleResource>>
}

const mostSchedules = 1_000

export const payoutSchedules = (services: Pick<Services, 'store' | 'readModels' | 'caughtUp'>): PayoutSchedules => {
  const { readModels, caughtUp } = services
  return {
    set: (context, wanted) => () => set(services, context, wanted),
    remove: (context, assetId) => async () => {
      const removed = await stepBook(services, context, assetId, { type: 'RemovePayoutSchedule', at: context.at })
      if (E.isLeft(removed)) return removed
      const hadOne = removed.right.events.some(({ type }) => type === 'PayoutScheduleRemoved')
      return hadOne ? E.right(undefined) : E.left({ _tag: 'PayoutScheduleNotFound' })
    },
    list:
      ({ merchantId, environment }) =>
      async () => {
        await caughtUp.withOwnWrites(merchantId)
        const page = { merchantId, environment, status: 'set', limit: mostSchedules }
        return (await readModels.payoutSchedules.page(page)).rows.map(payoutScheduleResource)
      },
  }
}

const set = async (
  services: Pick<Services, 'store' | 'readModels' | 'caughtUp'>,
  context: CommandContext,
  { assetId, interval, reserve, destination }: NewSchedule,
): Promise<E.Either<ScheduleFailure, PayoutScheduleResource>> => {
  const found = await destinationOf(services, context, destination)
  if (E.isLeft(found))
    return E.left(found.left._tag === 'StoreUnavailable' ? found.left : { _tag: 'PayoutDestinationNotFound' })
  const { id: destinationId } = found.right
  if (!PayoutDestinationId.is(destinationId)) return E.left({ _tag: 'PayoutDestinationNotFound' })
  const schedule = { interval, reserve, destinationId }
  const done = await stepBook(services, context, assetId, { type: 'SetPayoutSchedule', schedule, at: context.at })
  if (E.isLeft(done)) return done
  return E.right(payoutScheduleResource(rowAfter(model, bookId(context, assetId))(done.right)))
}

const stepBook = (
  { store }: Pick<Services, 'store'>,
  context: CommandContext,
  assetId: AssetId,
  command: Parameters<typeof PayoutBook.decider.decide>[0],
): Promise<E.Either<ExecuteFailure, Executed<PayoutBookState>>> =>
  step(store)(PayoutBook, bookId(context, assetId), context, PayoutBook.decider.decide(command))
