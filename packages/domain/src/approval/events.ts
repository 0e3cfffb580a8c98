import * as t from 'io-ts'
import { ApprovalCause } from '../limits/events.ts'
import { AccountId, AssetId } from '../shared/asset.ts'
import { orNull } from '../shared/branded.ts'
import { Cents } from '../shared/cents.ts'
import { fact, facts } from '../shared/fact.ts'
import { PayoutId, RefundId } from '../shared/ids.ts'
import { strict } from '../shared/strict.ts'
import { Stroops } from '../shared/stroops.ts'
import { Text } from '../shared/text.ts'
import { UnixMs } from '../shared/units.ts'

/** What waits for an approval. */
export const ApprovalSubject = t.union([RefundId, PayoutId], 'ApprovalSubject')
export type ApprovalSubject = t.TypeOf<typeof ApprovalSubject>

/** Money that goes out only with the approval of somebody else than its requester. */
export const ApprovalDetails = strict(
  {
    subject: ApprovalSubject,
    requestedBy: Text,
    assetId: AssetId,
    amount: Stroops,
    destination: AccountId,
    value: orNull(Cents),
    cause: ApprovalCause,
    expiresAt: UnixMs,
  },
  'ApprovalDetails',
)
export type ApprovalDetails = t.TypeOf<typeof ApprovalDetails>

const ByPerson = { by: Text, note: orNull(Text), at: UnixMs }

/** What happens to an approval, as its stream holds it. */
export const ApprovalEvent = facts([
  fact('ApprovalRequested', ApprovalDetails),
  fact('ApprovalGranted', strict(ByPerson)),
  fact('ApprovalRejected', strict(ByPerson)),
  fact('ApprovalExpired', strict({ at: UnixMs })),
  // What waited has ended: it was canceled, or a ledger holds it.
  fact('ApprovalWithdrawn', strict({ at: UnixMs })),
])
export type ApprovalEvent = t.TypeOf<typeof ApprovalEvent>
