import { exampleAccount, exampleId, exampleTransaction, type Section } from './words.ts'

const destination = exampleId('pdst_')

export const payouts: Section = {
  tag: 'Payouts',
  description: 'Money that leaves the settlement account for addresses that the merchant has registered.',
  operations: {
    'GET /balance': {
      name: 'listBalances',
      description: 'What is available leaves out what is held, in flight, or kept by the network.',
    },
    'POST /payouts': {
      name: 'createPayout',
      description: 'It is `pending` until a ledger decides. An amount over a limit waits for an approval.',
      examples: { some: { asset_id: 'native', amount: '12.5', destination } },
    },
    'GET /payouts': { name: 'listPayouts', description: 'The newest payout comes first.' },
    'GET /payouts/:id': { name: 'getPayout', description: 'Names the transaction on the ledger, once there is one.' },
    'GET /payouts/:id/history': {
      name: 'listPayoutHistory',
      description: 'Tells also of its approval, and of what moved on the ledger.',
    },
    'POST /payouts/:id/cancel': {
      name: 'cancelPayout',
      description: 'Once it may be on the ledger it can no longer be canceled.',
    },
    'POST /payout_destinations': {
      name: 'createPayoutDestination',
      description: 'Its owner makes it usable at once by signing the `challenge` of the answer.',
      examples: { exchange: { address: exampleAccount, memo: '104277', memo_type: 'id', label: 'Our exchange' } },
    },
    'POST /payout_destinations/:id/verify': {
      name: 'verifyPayoutDestination',
      description: 'Takes the challenge with the signature of the owner.',
      examples: { signed: { transaction: exampleTransaction } },
    },
    'GET /payout_destinations': {
      name: 'listPayoutDestinations',
      description: 'The newest destination comes first, removed ones included.',
    },
    'GET /payout_destinations/:id': {
      name: 'getPayoutDestination',
      description: '`usable_from` says from when on payouts can go there.',
    },
    'GET /payout_destinations/:id/history': {
      name: 'listPayoutDestinationHistory',
      description: 'Tells when it was registered, proven and removed.',
    },
    'DELETE /payout_destinations/:id': {
      name: 'deletePayoutDestination',
      description: 'Schedules that pay to it stop paying.',
    },
    'PUT /payout_schedules': {
      name: 'setPayoutSchedule',
      description: 'An asset has one schedule: this one takes the place of the one before.',
      examples: {
        weekly: { asset_id: 'native', interval: 'weekly', weekly_anchor: 'friday', reserve: '100', destination },
        threshold: { asset_id: 'native', interval: 'threshold', threshold: '500', destination },
      },
    },
    'GET /payout_schedules': { name: 'listPayoutSchedules', description: 'There is at most one for each asset.' },
    'DELETE /payout_schedules/:asset_id': {
      name: 'deletePayoutSchedule',
      description: 'Payouts that it has made go on.',
    },
  },
}

export const approvals: Section = {
  tag: 'Approvals',
  description: 'Limits of what may go out in a day, and decisions of a second person about what exceeds them.',
  operations: {
    'GET /limits': { name: 'getLimits', description: 'The lowest that applies counts.' },
    'PUT /limits': {
      name: 'setLimit',
      description: 'So a stolen key cannot raise a limit and use it the same day.',
      examples: { merchant: { scope: 'merchant', amount: '500' } },
    },
    'GET /approvals': { name: 'listApprovals', description: 'The newest approval comes first.' },
    'GET /approvals/:id': { name: 'getApproval', description: 'Says what waits, and why.' },
    'GET /approvals/:id/history': { name: 'listApprovalHistory', description: 'Tells who asked, and who decided.' },
    'POST /approvals/:id/approve': {
      name: 'grantApproval',
      description: 'The key that has requested it cannot approve it.',
      examples: { withNote: { note: 'The invoice is right' } },
    },
    'POST /approvals/:id/reject': {
      name: 'rejectApproval',
      description: 'Nothing is paid, and the money is available again.',
      examples: { withNote: { note: 'Nobody knows this account' } },
    },
  },
}

export const exceptions: Section = {
  tag: 'Exceptions',
  description: 'Money that fits nothing: too little, too much, too late, or without a memo.',
  operations: {
    'GET /exceptions': { name: 'listExceptions', description: 'The newest exception comes first.' },
    'GET /exceptions/:id': {
      name: 'getException',
      description: '`decision_needed` says whether a person has to decide, and why.',
    },
    'GET /exceptions/:id/history': {
      name: 'listExceptionHistory',
      description: 'Tells also of its return, and of what moved on the ledger.',
    },
    'POST /exceptions/:id/resolve': {
      name: 'resolveException',
      description: 'It goes back to its sender, counts for a checkout, or is kept.',
      examples: { keep: { action: 'accept', note: 'a gift' } },
    },
    'POST /exceptions/:id/cancel_return': {
      name: 'cancelReturn',
      description: 'The money waits for a decision again.',
    },
  },
}
