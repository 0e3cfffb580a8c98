import type { Problems } from './problem.ts'

const users = {
  merchant: 'belongs to another merchant, or receives on the other network',
  service: 'belongs to the service',
  omnibus: 'belongs to many, told apart by memos',
} as const

export const settlementProblems = {
  OwnAccountTaken: ({ by }) => [409, 'settlement_account_taken', `The account ${users[by]}`, 'address'],
  OwnAccountMissing: () => [409, 'settlement_account_missing', 'The account does not exist on the ledger', 'address'],
  SettlementAccountIsOwn: () => [
    409,
    'settlement_account_is_own',
    'The merchant is paid at an account of its own, from which only the merchant can pay',
  ],
  FundingAccountListedTwice: ({ account }) => [
    400,
    'funding_account_refused',
    `The account ${account} is listed twice`,
    'funding_accounts',
  ],
  FundingAccountIsSettlement: ({ account }) => [
    400,
    'funding_account_refused',
    `The account ${account} receives for the merchant: it cannot fund itself`,
    'funding_accounts',
  ],
  FundingAccountShared: ({ account, by }) => [
    400,
    'funding_account_refused',
    `The account ${account} ${users[by]}: what comes from it may be somebody else's`,
    'funding_accounts',
  ],
} satisfies Partial<Problems>
