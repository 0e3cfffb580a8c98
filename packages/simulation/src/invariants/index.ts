import { accessRules } from './access.ts'
import { agreementRules } from './agreements.ts'
import { feeRules } from './fees.ts'
import { floodRules } from './floods.ts'
import type { Invariant } from './invariant.ts'
import { keyRules } from './keys.ts'
import { logRules } from './log.ts'
import { migrationRules } from './migrations.ts'
import { moneyRules } from './money.ts'
import { payoutRules } from './payouts.ts'
import { priceRules } from './prices.ts'
import { refundRules } from './refunds.ts'
import { restoreRules } from './restores.ts'
import { saleRules } from './sales.ts'
import { strangerRules } from './strangers.ts'
import { subscriptionRules } from './subscriptions.ts'

/** All rules that a run must keep. */
export const invariants: ReadonlyArray<Invariant> = [
  ...moneyRules,
  ...refundRules,
  ...payoutRules,
  ...feeRules,
  ...saleRules,
  ...priceRules,
  ...subscriptionRules,
  ...accessRules,
  ...agreementRules,
  ...floodRules,
  ...strangerRules,
  ...keyRules,
  ...migrationRules,
  ...restoreRules,
  ...logRules,
]
