/** The steps of a payment from the payer's own wallet, in order; the page shows a line for each. */
export const ownSteps = [
  { id: 'wallet', text: 'Open your wallet' },
  { id: 'transaction', text: 'Ask for the transaction, and check it' },
  { id: 'signature', text: 'Confirm it in your wallet' },
  { id: 'submission', text: 'Hand it in' },
  { id: 'ledger', text: 'Wait for the ledger to close' },
] as const

export type OwnStep = (typeof ownSteps)[number]['id']
