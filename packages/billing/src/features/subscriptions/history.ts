import { Subscription, type SubscriptionRejection, unixMs } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { isIn, type StoreUnavailable } from '../../kernel/load.ts'
import { timestamp } from '../../resources/fields.ts'
import type { Services } from '../../services/services.ts'

/** One fact of a subscription's life: when, by whom, and what. Nothing in it is personal. */
export type HistoryEntry = {
  readonly id: string
  readonly revision: number
  readonly type: string
  readonly occurred_at: string
  readonly actor: string
  readonly data: unknown
  readonly hash: string
}

type NotFound = Extract<SubscriptionRejection, { readonly _tag: 'SubscriptionNotFound' }>

/** The events of a subscription as they were written, each sealed by its hash to those before it. */
export const historyOf =
  ({ store }: Services) =>
  (scope: Scope, id: string): TE.TaskEither<StoreUnavailable | NotFound, ReadonlyArray<HistoryEntry>> =>
    pipe(
      store.readStream(`${Subscription.category}-${id}`),
      TE.chainEitherKW(({ events: [first, ...more] }) =>
        first === undefined || !isIn(scope, first.metadata)
          ? E.left<NotFound>({ _tag: 'SubscriptionNotFound' })
          : E.right([first, ...more]),
      ),
      TE.map((events) =>
        events.map(({ id: eventId, revision, type, data, metadata: { occurredAt, actor, hash } }) => ({
          id: eventId,
          revision: Number(revision),
          type,
          occurred_at: timestamp(unixMs(occurredAt)),
          actor,
          data,
          hash,
        })),
      ),
    )
