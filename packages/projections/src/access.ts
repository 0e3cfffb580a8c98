import { CustomerId, Payment, PaymentDetails, ProductId, type RecordedEvent, UnixMs } from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { decodedBy } from './decode.ts'
import type { ReadModel } from './read-model.ts'

/** What one payment entitles its customer to, from its confirmation on, until it was refunded. */
export const GrantRow = t.strict({
  details: PaymentDetails,
  grant: t.union([
    t.null,
    t.strict({ customerId: CustomerId, productId: ProductId, since: UnixMs, until: t.union([t.null, UnixMs]) }),
  ]),
})
export type GrantRow = t.TypeOf<typeof GrantRow>

const decode = decodedBy(Payment)

const fold = (row: O.Option<GrantRow>, recorded: RecordedEvent): O.Option<GrantRow> => {
  const event = decode(recorded)
  switch (event.type) {
    case 'PaymentOpened':
      return O.some({ details: event.data, grant: null })
    case 'PaymentConfirmed':
      return O.map(({ details }: GrantRow) => {
        const { customerId, productId } = details
        const isGranted = customerId !== null && productId !== null
        return {
          details,
          grant: isGranted ? { customerId, productId, since: event.data.confirmedAt, until: null } : null,
        }
      })(row)
    case 'PaymentSubmitted':
    case 'PaymentCredited':
    case 'PaymentFailed':
    case 'RefundClaimed':
    case 'RefundReleased':
    case 'ReturnClaimed':
      return row
    case 'PaymentRefunded':
      return O.map(({ details, grant }: GrantRow) => ({
        details,
        grant: grant === null ? null : { ...grant, until: event.data.refundedAt },
      }))(row)
  }
}

/** Found by customer and product; a row without a grant is found by neither. */
export const access: ReadModel<GrantRow> = {
  name: 'access',
  version: 3,
  category: Payment.category,
  row: GrantRow,
  fold,
  columns: ({ grant }) => ({ listedUnder: grant?.customerId ?? null, lookupKey: grant?.productId ?? null }),
}
