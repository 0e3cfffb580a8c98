import {
  Payout,
  PayoutDetails,
  PayoutFailureReason,
  PayoutId,
  PayoutSettlement,
  type RecordedEvent,
  Text,
  UnixMs,
} from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { createdAt } from './created-at.ts'
import { decodedBy } from './decode.ts'
import type { ReadModel } from './read-model.ts'

/** Money that a merchant withdraws. */
export const PayoutRow = t.strict({
  details: PayoutDetails,
  status: t.keyof({ pending: null, canceled: null, succeeded: null, failed: null }),
  settlement: t.union([t.null, PayoutSettlement]),
  failure: t.union([
    t.null,
    t.strict({ reason: PayoutFailureReason, code: t.union([t.null, Text]), failedAt: UnixMs }),
  ]),
  canceledAt: t.union([t.null, UnixMs]),
  createdAt: UnixMs,
})
export type PayoutRow = t.TypeOf<typeof PayoutRow>

const decode = decodedBy(Payout)

const fold = (row: O.Option<PayoutRow>, recorded: RecordedEvent): O.Option<PayoutRow> => {
  const event = decode(recorded)
  const patch = (fields: Partial<PayoutRow>) => O.map((known: PayoutRow) => ({ ...known, ...fields }))(row)
  switch (event.type) {
    case 'PayoutRequested':
      return O.some({
        details: event.data,
        status: 'pending',
        settlement: null,
        failure: null,
        canceledAt: null,
        createdAt: createdAt(recorded),
      })
    case 'PayoutCanceled':
      return patch({ status: 'canceled', canceledAt: event.data.canceledAt })
    case 'PayoutSucceeded':
      return patch({ status: 'succeeded', settlement: event.data })
    case 'PayoutFailed':
      return patch({ status: 'failed', failure: event.data })
  }
}

/** Listed by asset, which stands where a customer would. */
export const payouts: ReadModel<PayoutRow> = {
  name: 'payouts',
  version: 1,
  category: Payout.category,
  ids: PayoutId,
  row: PayoutRow,
  fold,
  columns: ({ status, details }) => ({ status, customerId: details.assetId }),
}
