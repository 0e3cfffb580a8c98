import {
  type RecordedEvent,
  Refund,
  RefundDetails,
  RefundFailureReason,
  RefundId,
  RefundSettlement,
  Text,
  UnixMs,
} from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { createdAt } from './created-at.ts'
import { decodedBy } from './decode.ts'
import type { ReadModel } from './read-model.ts'

/** A payment on its way back. */
export const RefundRow = t.strict({
  details: RefundDetails,
  status: t.keyof({ pending: null, succeeded: null, failed: null }),
  settlement: t.union([t.null, RefundSettlement]),
  failure: t.union([
    t.null,
    t.strict({ reason: RefundFailureReason, code: t.union([t.null, Text]), failedAt: UnixMs }),
  ]),
  createdAt: UnixMs,
})
export type RefundRow = t.TypeOf<typeof RefundRow>

const decode = decodedBy(Refund)

const fold = (row: O.Option<RefundRow>, recorded: RecordedEvent): O.Option<RefundRow> => {
  const event = decode(recorded)
  const patch = (fields: Partial<RefundRow>) => O.map((known: RefundRow) => ({ ...known, ...fields }))(row)
  switch (event.type) {
    case 'RefundRequested':
      return O.some({
        details: event.data,
        status: 'pending',
        settlement: null,
        failure: null,
        createdAt: createdAt(recorded),
      })
    case 'RefundSucceeded':
      return patch({ status: 'succeeded', settlement: event.data })
    case 'RefundFailed':
      return patch({ status: 'failed', failure: event.data })
  }
}

/** Listed by payment, which stands where a customer would. */
export const refunds: ReadModel<RefundRow> = {
  name: 'refunds',
  version: 1,
  category: Refund.category,
  ids: RefundId,
  row: RefundRow,
  fold,
  columns: ({ status, details }) => ({ status, customerId: details.paymentId }),
}
