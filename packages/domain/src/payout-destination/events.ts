import * as t from 'io-ts'
import { AccountId } from '../shared/asset.ts'
import { orNull } from '../shared/branded.ts'
import { fact, facts } from '../shared/fact.ts'
import { MuxedId } from '../shared/incoming-payment.ts'
import { Memo } from '../shared/memo.ts'
import { partial, strict } from '../shared/strict.ts'
import { Text } from '../shared/text.ts'
import { UnixMs } from '../shared/units.ts'

/**
 * An address that a merchant may withdraw to, from `usableFrom` on; sooner, once its owner has proven it (SEP-10). `memo` goes with each payout; `muxedId` is the number of a muxed address.
 */
export const PayoutDestinationDetails = t.intersection(
  [
    strict({
      address: AccountId,
      memo: orNull(Memo),
      label: orNull(Text),
      usableFrom: UnixMs,
    }),
    partial({ muxedId: MuxedId }),
  ],
  'PayoutDestinationDetails',
)
export type PayoutDestinationDetails = t.TypeOf<typeof PayoutDestinationDetails>

export const PayoutDestinationEvent = facts([
  fact('PayoutDestinationRegistered', PayoutDestinationDetails),
  // Its owner has signed a challenge.
  fact('PayoutDestinationProven', strict({ provenAt: UnixMs })),
  fact('PayoutDestinationRemoved', strict({ removedAt: UnixMs })),
])
export type PayoutDestinationEvent = t.TypeOf<typeof PayoutDestinationEvent>
