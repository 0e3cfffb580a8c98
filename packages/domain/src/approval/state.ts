import type * as t from 'io-ts'
import { orNull } from '../shared/branded.ts'
import { byStatus } from '../shared/by-status.ts'
import { CorruptStream } from '../shared/decider.ts'
import { Text } from '../shared/text.ts'
import { UnixMs } from '../shared/units.ts'
import { ApprovalDetails, type ApprovalEvent } from './events.ts'

const decided = { details: ApprovalDetails, by: Text, note: orNull(Text), at: UnixMs }

/** What is kept of an approval once it exists. */
export const ApprovalRecord = byStatus(
  {
    waiting: { details: ApprovalDetails },
    approved: decided,
    rejected: decided,
    expired: { details: ApprovalDetails, at: UnixMs },
    withdrawn: { details: ApprovalDetails, at: UnixMs },
  },
  'ApprovalRecord',
)
export type ApprovalRecord = t.TypeOf<typeof ApprovalRecord>
/** What the events of its stream say about an approval. */
export type ApprovalState = { readonly status: 'absent' } | ApprovalRecord

export const initial: ApprovalState = { status: 'absent' }

export const evolve = (state: ApprovalState, { type, data }: ApprovalEvent): ApprovalState => {
  if (type === 'ApprovalRequested') {
    if (state.status !== 'absent') throw new CorruptStream(type, state.status)
    return { status: 'waiting', details: data }
  }
  if (state.status !== 'waiting') throw new CorruptStream(type, state.status)
  const { details } = state
  switch (type) {
    case 'ApprovalGranted':
      return { status: 'approved', details, ...data }
    case 'ApprovalRejected':
      return { status: 'rejected', details, ...data }
    case 'ApprovalExpired':
      return { status: 'expired', details, ...data }
    case 'ApprovalWithdrawn':
      return { status: 'withdrawn', details, ...data }
  }
}
