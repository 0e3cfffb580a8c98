import * as E from 'fp-ts/lib/Either.js'
import { nothing } from '../shared/decider.ts'
import type { ApprovalCommand, GrantApproval } from './commands.ts'
import type { ApprovalEvent } from './events.ts'
import type { ApprovalRejection } from './rejections.ts'
import type { ApprovalRecord, ApprovalState } from './state.ts'

type Decision = E.Either<ApprovalRejection, ReadonlyArray<ApprovalEvent>>

const grant = ({ type: _, ...data }: GrantApproval, { details }: ApprovalRecord): Decision => {
  if (data.by === details.requestedBy) return E.left({ _tag: 'ApprovalByRequester' })
  if (data.at >= details.expiresAt) return E.left({ _tag: 'ApprovalHasEnded', status: 'expired' })
  return E.right([{ type: 'ApprovalGranted', data }])
}

/** The first decision stands. Whoever requested may reject, which is to cancel, and never approve. */
export const decide =
  (command: ApprovalCommand) =>
  (state: ApprovalState): Decision => {
    if (command.type === 'RequestApproval') {
      const { type: _, ...data } = command
      return state.status === 'absent' ? E.right([{ type: 'ApprovalRequested', data }]) : nothing
    }
    if (state.status === 'absent') return E.left({ _tag: 'ApprovalNotFound' })
    if (state.status !== 'waiting')
      return ends[command.type] === state.status ? nothing : E.left({ _tag: 'ApprovalHasEnded', status: state.status })
    switch (command.type) {
      case 'GrantApproval':
        return grant(command, state)
      case 'RejectApproval': {
        const { type: _, ...data } = command
        return E.right([{ type: 'ApprovalRejected', data }])
      }
      case 'ExpireApproval':
        return command.at < state.details.expiresAt
          ? E.left({ _tag: 'ApprovalNotExpired' })
          : E.right([{ type: 'ApprovalExpired', data: { at: command.at } }])
      case 'WithdrawApproval':
        return E.right([{ type: 'ApprovalWithdrawn', data: { at: command.at } }])
    }
  }

/** A command whose end the approval has met already says nothing new. */
const ends = {
  GrantApproval: 'approved',
  RejectApproval: 'rejected',
  ExpireApproval: 'expired',
  WithdrawApproval: 'withdrawn',
} as const
