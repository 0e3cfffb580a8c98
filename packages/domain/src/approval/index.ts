import type { Aggregate } from '../shared/aggregate.ts'
import { eventFormat } from '../shared/event-format.ts'
import type { ApprovalCommand } from './commands.ts'
import { decide } from './decide.ts'
import { ApprovalEvent } from './events.ts'
import type { ApprovalRejection } from './rejections.ts'
import { type ApprovalState, evolve, initial } from './state.ts'

/** Money over a limit: it goes out if a second person says so. This stream decides between that and its cancellation. */
export const OutflowApproval: Aggregate<ApprovalCommand, ApprovalEvent, ApprovalState, ApprovalRejection> = {
  category: 'approval',
  decider: { initial, evolve, decide },
  events: eventFormat(ApprovalEvent),
}

export type { ApprovalCommand } from './commands.ts'
export { type ApprovalEvent, ApprovalSubject } from './events.ts'
export type { ApprovalRejection } from './rejections.ts'
export { ApprovalRecord, type ApprovalState } from './state.ts'
