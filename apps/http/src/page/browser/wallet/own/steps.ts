/** The steps of a payment from the payer's own wallet, in order; the page shows a line for each. */
export const ownSteps = ['wallet', 'transaction', 'signature', 'submission', 'ledger'] as const

export type OwnStep = (typeof ownSteps)[number]
