/** The steps of the sandbox wallet, in order; the page shows a line for each. */
export const walletSteps = ['wallet', 'funds', 'transaction', 'signature', 'submission', 'ledger'] as const

export type WalletStep = (typeof walletSteps)[number]
