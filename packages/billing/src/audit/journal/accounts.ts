/** The accounts of the journal, by the names that accountants read. Each holds any asset and any currency. */
export const journalAccounts = {
  settlement: 'Assets:Settlement',
  incoming: 'Liabilities:Incoming payments',
  exceptions: 'Liabilities:Exceptions',
  fees_owed: 'Liabilities:Platform fees',
  sales: 'Income:Sales',
  renewals: 'Income:Renewals',
  overpayments: 'Income:Overpayments',
  kept: 'Income:Kept exceptions',
  refunds: 'Income:Refunds',
  returns: 'Income:Returns',
  rates: 'Income:Rate differences',
  network_fees: 'Expenses:Fees:Network',
  platform_fees: 'Expenses:Fees:Platform',
  opening: 'Equity:Opening balances',
  funding: 'Equity:Funding',
  payouts: 'Equity:Payouts',
  own: 'Equity:Own movements',
  unexplained: 'Equity:Unexplained',
  resets: 'Equity:Network resets',
  conversion: 'Equity:Conversion',
} as const

export type JournalAccount = keyof typeof journalAccounts
