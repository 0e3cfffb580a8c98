import type { Sandbox } from '@quittance/sandbox'
import { paymentsOn, straysOn } from '../kills/books.ts'
import { notEndedOnce, notProven } from '../kills/proofs.ts'
import type { Stage } from '../kills/stage.ts'
import type { KillRun } from './kill-run.ts'

/** Sentences about what is wrong after a run; none when all is well. */
export type Verdict = {
  readonly paidTwice: ReadonlyArray<string>
  readonly lost: ReadonlyArray<string>
  readonly paidForNothing: ReadonlyArray<string>
  readonly answeredDifferently: ReadonlyArray<string>
  readonly notEndedOnce: ReadonlyArray<string>
  readonly notProven: ReadonlyArray<string>
}

/** Judges a run by its ledger, then its log, then the proofs of the command line. */
export const judge = async (stage: Stage, run: KillRun): Promise<Verdict> => ({
  ...byLedger(stage.network.sandbox, run),
  answeredDifferently: answeredDifferently(run),
  notEndedOnce: notEndedOnce(stage),
  notProven: await notProven(stage.dataDir),
})

/** Payments that must have left the account: each refund, and each incoming payment without a reference. */
const byLedger = (sandbox: Sandbox, { account, wanted, refunds }: KillRun) => {
  const payments = paymentsOn(sandbox)
  const due = [
    ...wanted.map(({ amount, payer }) => `${amount} to ${payer}`),
    ...straysOn(sandbox, account).map(({ amount, from }) => `${amount} to ${from}`),
  ]
  const out = payments.filter(({ from }) => from === account).map(({ amount, to }) => `${amount} to ${to}`)
  const paid = new Set(out)
  const succeeded = new Set(refunds.filter(({ status }) => status === 'succeeded').map((each) => each.payment_id))
  return {
    paidTwice: out.filter((what, index) => out.indexOf(what) !== index),
    lost: [
      ...due.filter((what) => !paid.has(what)),
      ...wanted.flatMap(({ paymentId }) => (succeeded.has(paymentId) ? [] : [`the refund of ${paymentId}`])),
      ...refunds.flatMap(({ id, failure_reason }) =>
        failure_reason === null ? [] : [`${id} has failed: ${failure_reason}`],
      ),
    ],
    paidForNothing: out.filter((what) => !due.includes(what)),
  }
}

/** Requires one refund of each payment, whatever the key, and always the same answer for one key. */
const answeredDifferently = ({ wanted, refunds }: KillRun): ReadonlyArray<string> =>
  wanted.flatMap(({ paymentId, answers }) => {
    const told = [...answers.values()].map((each) => [...each])
    const made = new Set([...told.flat().filter((each) => each.startsWith('rf_'))])
    const own = refunds.filter((each) => each.payment_id === paymentId)
    const isOne = own.length === 1 && made.size === 1 && made.has(own[0]?.id ?? '')
    const isSame = told.every((each) => each.length === 1)
    const others = told.flat().filter((each) => !each.startsWith('rf_') && each !== 'refund_exists')
    return isOne && isSame && others.length === 0 ? [] : [`${paymentId}: ${told.join(', ')}; made ${own.length}`]
  })
