export { accountOf, contractOf } from './account.ts'
export {
  decoded,
  exampleCredit,
  exampleId,
  hashOf,
  merchantAccount,
  native,
  payerAccount,
  start,
  usdc,
} from './examples.ts'
export { exampleCharge, examplePayout, indexOf } from './outgoing-examples.ts'
