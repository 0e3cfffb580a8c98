export { accountOf, contractOf } from './account.ts'
export {
  decoded,
  eurc,
  exampleCredit,
  exampleId,
  hashOf,
  merchantAccount,
  native,
  payerAccount,
  start,
  usdc,
} from './examples.ts'
export { exampleCharge, examplePayout, exampleTransaction, indexOf, ledgerOf, paidOut } from './outgoing-examples.ts'
export {
  exampleDestination,
  examplePayoutDetails,
  exampleSchedule,
  exampleTarget,
} from './payout-examples.ts'
export { type Outcome, scenario } from './scenario.ts'
