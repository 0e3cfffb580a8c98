import type { Sandbox } from '@quittance/sandbox'
import { paymentsOn, straysOn } from '../kills/books.ts'
import { givenUpRightly, givenUpWrongly } from '../kills/given-up.ts'
import { notEndedOnce, notProven } from '../kills/proofs.ts'
import type { Stage } from '../kills/stage.ts'
import type { KillRun } from './kill-run.ts'

/** Sentences about what is wrong after a run; none when all is well. */
export type Verdict = {
  readonly paidTwice: ReadonlyArray<string>
  readonly lost: ReadonlyArray<string>
  readonly paidForNothing: ReadonlyArray<string>
  readonly givenUpWrongly: ReadonlyArray<string>
  readonly answeredDifferently: ReadonlyArray<string>
  readonly notEndedOnce: ReadonlyArray<string>
  readonly notProven: ReadonlyArray<string>
}

type Refunding = Pick<KillRun, 'account' | 'wanted' | 'refunds'>

/** Judges a run by its ledger, then its log, then the proofs of the command line. */
export const judge = async (stage: Stage, run: KillRun): Promise<Verdict> => {
  const givenUp = givenUpRightly(stage)
  return {
    ...byLedger(stage.network.sandbox, run, givenUp),
    givenUpWrongly: givenUpWrongly(stage),
    answeredDifferently: answeredDifferently(run, givenUp),
    notEndedOnce: notEndedOnce(stage),
    notProven: await notProven(stage.dataDir),
  }
}

/**
 * Payments that must have left the account: each refund, and each incoming payment without a reference. The money of a refund
 * that was rightly given up must still be there.
 */
export const byLedger = (sandbox: Sandbox, { account, wanted, refunds }: Refunding, givenUp: ReadonlySet<string>) => {
  const payments = paymentsOn(sandbox)
  const paymentsOf = (of: KillRun['refunds']) => new Set(of.map(({ payment_id }) => payment_id))
  const succeeded = paymentsOf(refunds.filter(({ status }) => status === 'succeeded'))
  const kept = paymentsOf(refunds.filter(({ id }) => givenUp.has(id))).difference(succeeded)
  const refunded = wanted.filter(({ paymentId }) => !kept.has(paymentId))
  const due = [
    ...refunded.map(({ amount, payer }) => `${amount} to ${payer}`),
    ...straysOn(sandbox, account).map(({ amount, from }) => `${amount} to ${from}`),
  ]
  const out = payments.filter(({ from }) => from === account).map(({ amount, to }) => `${amount} to ${to}`)
  const paid = new Set(out)
  return {
    paidTwice: out.filter((what, index) => out.indexOf(what) !== index),
    lost: [
      ...due.filter((what) => !paid.has(what)),
      ...refunded.flatMap(({ paymentId }) => (succeeded.has(paymentId) ? [] : [`the refund of ${paymentId}`])),
      ...refunds.flatMap(({ id, failure_reason }) =>
        failure_reason === null || givenUp.has(id) ? [] : [`${id} has failed: ${failure_reason}`],
      ),
    ],
    paidForNothing: out.filter((what) => !due.includes(what)),
  }
}

/**
 * Requires one refund of each payment, whatever the key, and always the same answer for one key. A payment whose refund was
 * rightly given up may be refunded again, under a key for which that refund existed before.
 */
export const answeredDifferently = (
  { wanted, refunds }: Pick<Refunding, 'wanted' | 'refunds'>,
  givenUp: ReadonlySet<string>,
): ReadonlyArray<string> =>
  wanted.flatMap(({ paymentId, answers }) => {
    const told = [...answers.values()].map((each) => [...each])
    const made = new Set(told.flat().filter((each) => each.startsWith('rf_')))
    const own = refunds.filter((each) => each.payment_id === paymentId).map(({ id }) => id)
    const lasting = own.filter((id) => !givenUp.has(id))
    const mayDiffer = lasting.length < own.length
    const isOne = own.length > 0 && lasting.length <= 1 && made.symmetricDifference(new Set(own)).size === 0
    const isSame = told.every(
      (each) => each.length === 1 || (mayDiffer && each.length === 2 && each[0] === 'refund_exists'),
    )
    const others = told.flat().filter((each) => !each.startsWith('rf_') && each !== 'refund_exists')
    return isOne && isSame && others.length === 0 ? [] : [`${paymentId}: ${told.join(', ')}; made ${own.length}`]
  })
