import {
  PayoutDestination,
  PayoutDestinationDetails,
  PayoutDestinationId,
  type RecordedEvent,
  UnixMs,
} from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { createdAt } from './created-at.ts'
import { decodedBy } from './decode.ts'
import type { ReadModel } from './read-model.ts'

/** An address that a merchant has registered to withdraw to; `provenAt` is null while nobody has proven it. */
export const PayoutDestinationRow = t.strict({
  details: PayoutDestinationDetails,
  status: t.keyof({ registered: null, removed: null }),
  provenAt: t.union([t.null, UnixMs]),
  removedAt: t.union([t.null, UnixMs]),
  createdAt: UnixMs,
})
export type PayoutDestinationRow = t.TypeOf<typeof PayoutDestinationRow>

const decode = decodedBy(PayoutDestination)

const fold = (row: O.Option<PayoutDestinationRow>, recorded: RecordedEvent): O.Option<PayoutDestinationRow> => {
  const event = decode(recorded)
  const patch = (fields: Partial<PayoutDestinationRow>) =>
    O.map((known: PayoutDestinationRow) => ({ ...known, ...fields }))(row)
  switch (event.type) {
    case 'PayoutDestinationRegistered':
      return O.some({
        details: event.data,
        status: 'registered',
        provenAt: null,
        removedAt: null,
        createdAt: createdAt(recorded),
      })
    case 'PayoutDestinationProven':
      return patch({ provenAt: event.data.provenAt })
    case 'PayoutDestinationRemoved':
      return patch({ status: 'removed', removedAt: event.data.removedAt })
  }
}

/** Found by the account of its address. */
export const payoutDestinations: ReadModel<PayoutDestinationRow> = {
  name: 'payout_destinations',
  version: 1,
  category: PayoutDestination.category,
  ids: PayoutDestinationId,
  row: PayoutDestinationRow,
  fold,
  columns: ({ status, details }) => ({ status, lookupKey: details.address }),
}
