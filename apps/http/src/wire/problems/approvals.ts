import { gone, type Problems } from './problem.ts'

export const approvalProblems = {
  ApprovalNotFound: () => gone('approval'),
  ApprovalByRequester: () => [
    403,
    'approval_by_requester',
    'Another key has to approve this: yours has requested it, or has taken the place of the key that has',
  ],
  ApprovalHasEnded: ({ status }) => [409, 'approval_ended', `The approval is ${status}`, undefined, 'approvals'],
  LimitedKeyNotFound: (_, { key }) => gone('API key', key),
} satisfies Partial<Problems>
