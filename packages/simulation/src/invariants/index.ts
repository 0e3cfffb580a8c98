import { agreementRules } from './agreements.ts'
import type { Invariant } from './invariant.ts'
import { logRules } from './log.ts'
import { moneyRules } from './money.ts'
import { payoutRules } from './payouts.ts'
import { refundRules } from './refunds.ts'
import { saleRules } from './sales.ts'
import { subscriptionRules } from './subscriptions.ts'

/** Every rule that a run is held to. */
export const invariants: ReadonlyArray<Invariant> = [
  ...moneyRules,
  ...refundRules,
  ...payoutRules,
  ...saleRules,
  ...subscriptionRules,
  ...agreementRules,
  ...logRules,
]
