/** The steps of the sandbox wallet, in order; the page shows a line for each. */
export const walletSteps = [
  { id: 'wallet', text: 'Open a test wallet in this browser' },
  { id: 'funds', text: 'Get test money for it' },
  { id: 'transaction', text: 'Ask for the payment’s transaction' },
  { id: 'signature', text: 'Check it and sign it here' },
  { id: 'submission', text: 'Hand it in' },
  { id: 'ledger', text: 'Wait for the ledger to close' },
] as const

export type WalletStep = (typeof walletSteps)[number]['id']
