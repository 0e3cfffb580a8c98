import { HttpError } from './errors.ts'
import { amountProblems } from './problems/amounts.ts'
import { approvalProblems } from './problems/approvals.ts'
import { checkoutProblems } from './problems/checkouts.ts'
import { customerProblems } from './problems/customers.ts'
import { evidenceProblems } from './problems/evidence.ts'
import { exceptionProblems } from './problems/exceptions.ts'
import { historyProblems } from './problems/histories.ts'
import { payingProblems } from './problems/paying.ts'
import { paymentProblems } from './problems/payments.ts'
import { payoutProblems } from './problems/payouts.ts'
import type { Fields, Of, Problem, Problems, Tag } from './problems/problem.ts'
import { productProblems } from './problems/products.ts'
import { settlementProblems } from './problems/settlement.ts'
import { storeProblems } from './problems/store.ts'
import { subscriptionProblems } from './problems/subscriptions.ts'
import { teamProblems } from './problems/team.ts'
import { webhookProblems } from './problems/webhooks.ts'

/** A new failure does not compile until one of these tables has it. */
const problems: Problems = {
  ...storeProblems,
  ...amountProblems,
  ...productProblems,
  ...customerProblems,
  ...subscriptionProblems,
  ...webhookProblems,
  ...checkoutProblems,
  ...paymentProblems,
  ...payoutProblems,
  ...approvalProblems,
  ...settlementProblems,
  ...exceptionProblems,
  ...payingProblems,
  ...historyProblems,
  ...evidenceProblems,
  ...teamProblems,
}

/** After how many seconds it is worth while to ask again, where that is known. */
const retryAfter: Partial<Record<Tag, number>> = {
  TreeChanging: 60,
  CheckpointNotContinued: 300,
  LogKeyLacking: 300,
  CheckpointsNotKept: 300,
}

export const problemOf = <T extends Tag>(failure: Of<T>, fields: Fields): HttpError => {
  const describe: (failure: Of<T>, fields: Fields) => Problem = problems[failure._tag]
  const [status, code, message, param, tells] = describe(failure, fields)
  const retryAfterSeconds = retryAfter[failure._tag]
  return new HttpError(status, code, message, {
    ...(param && { param }),
    ...(tells && { tells }),
    ...(retryAfterSeconds && { retryAfterSeconds }),
  })
}
