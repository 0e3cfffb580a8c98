import { paymentsOn } from '../kills/books.ts'
import { givenUpRightly, givenUpWrongly } from '../kills/given-up.ts'
import { notEndedOnce, notProven } from '../kills/proofs.ts'
import type { Stage } from '../kills/stage.ts'
import type { KillRun } from './kill-run.ts'

/** Sentences about what is wrong after a run; none when all is well. */
export type Verdict = Readonly<Record<string, ReadonlyArray<string>>>

/** Judges a run by its ledger, then its log, then the proofs of the command line. */
export const judge = async (stage: Stage, run: KillRun): Promise<Verdict> => {
  const { account, wanted, payouts, reserve, left } = run
  const out = paymentsOn(stage.network.sandbox).flatMap(({ from, amount }) => (from === account ? [amount] : []))
  const amounts = (of: KillRun['payouts']) => of.map(({ amount }) => Number(amount.split(' ')[0]).toFixed(7))
  const succeeded = amounts(payouts.filter(({ status }) => status === 'succeeded'))
  const givenUp = givenUpRightly(stage)
  const kept = amounts(payouts.filter(({ id }) => givenUp.has(id)))
  const byHand = wanted.map(({ amount }) => amount)
  return {
    paidTwice: byHand.filter((amount) => out.filter((each) => each === amount).length > 1),
    lost: [...byHand.filter((amount) => !out.includes(amount) && !kept.includes(amount)), ...without(succeeded, out)],
    paidForNothing: without(out, succeeded),
    notSucceeded: payouts.flatMap(({ id, status, failure_code }) =>
      status === 'succeeded' || givenUp.has(id) ? [] : [`${id} is ${status}, ${failure_code}`],
    ),
    givenUpWrongly: givenUpWrongly(stage),
    reserveTaken: Number(left) === Number(reserve) ? [] : [`${left} are left of a reserve of ${reserve}`],
    answeredDifferently: wanted.flatMap(({ key, answers }) => {
      const [id, ...others] = answers
      const isOne = others.length === 0 && payouts.some((payout) => payout.id === id)
      return isOne ? [] : [`${key}: ${[...answers].join(', ')}`]
    }),
    notEndedOnce: notEndedOnce(stage),
    notProven: await notProven(stage.dataDir),
  }
}

/** What is in the first list more often than in the second. */
const without = (list: ReadonlyArray<string>, other: ReadonlyArray<string>): ReadonlyArray<string> => {
  const rest = [...other]
  return list.filter((each) => {
    const at = rest.indexOf(each)
    if (at >= 0) rest.splice(at, 1)
    return at < 0
  })
}
