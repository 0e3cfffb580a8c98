import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Sandbox } from '@quittance/sandbox'
import { historiesOf, paymentsOn } from './books.ts'
import type { KillRun } from './kill-run.ts'

/** What is wrong after a run, each in words: nothing where all is well. */
export type Verdict = {
  readonly paidTwice: ReadonlyArray<string>
  readonly lost: ReadonlyArray<string>
  readonly paidForNothing: ReadonlyArray<string>
  readonly answeredDifferently: ReadonlyArray<string>
  readonly notEndedOnce: ReadonlyArray<string>
  readonly notProven: ReadonlyArray<string>
}

/** Judges a run by its ledger first, then by its log, then by what the command line proves of both. */
export const judge = async (dataDir: string, sandbox: Sandbox, run: KillRun): Promise<Verdict> => ({
  ...byLedger(sandbox, run),
  answeredDifferently: answeredDifferently(run),
  notEndedOnce: notEndedOnce(join(dataDir, 'quittance.db'), sandbox),
  notProven: (await Promise.all([['verify']].map((words) => unlessProven(dataDir, words)))).flat(),
})

const byLedger = (sandbox: Sandbox, { account, wanted, refunds }: KillRun) => {
  const times = new Map<string, number>()
  for (const { from, to, amount } of paymentsOn(sandbox))
    if (from === account) times.set(`${amount} to ${to}`, (times.get(`${amount} to ${to}`) ?? 0) + 1)
  const due = new Set(wanted.map(({ amount, payer }) => `${amount} to ${payer}`))
  const succeeded = new Set(refunds.filter(({ status }) => status === 'succeeded').map((each) => each.payment_id))
  return {
    paidTwice: [...times].flatMap(([what, paid]) => (paid > 1 ? [`${what}: ${paid} times`] : [])),
    lost: wanted.flatMap(({ paymentId, amount, payer }) =>
      times.has(`${amount} to ${payer}`) && succeeded.has(paymentId) ? [] : [`${paymentId}: ${amount} to ${payer}`],
    ),
    paidForNothing: [...times.keys()].filter((what) => !due.has(what)),
  }
}

/** Of each payment one refund, whatever the key; and under one key always the same. */
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

const transactionEnds = ['TransactionWithdrawn', 'TransactionSucceeded', 'TransactionFailed', 'TransactionDied']
const intentEnds = ['IntentSettled', 'IntentRefused', 'IntentGivenUp']

/** Transactions and intents that have not exactly one end, are not closed or told, or ended otherwise than on the ledger. */
const notEndedOnce = (log: string, { read }: Sandbox): ReadonlyArray<string> => {
  const transactions = [...historiesOf(log, 'stellartx')].flatMap(([stream, types]) => {
    const ends = types.filter((type) => transactionEnds.includes(type))
    const onLedger = read.findTransaction(stream.replace('stellartx-', ''))
    const found = onLedger === undefined ? [] : [onLedger.succeeded ? 'TransactionSucceeded' : 'TransactionFailed']
    const isTrue =
      ends.filter((end) => !['TransactionDied', 'TransactionWithdrawn'].includes(end)).join() === found.join()
    return ends.length === 1 && isTrue && types.at(-1) === 'TransactionClosed' ? [] : [`${stream}: ${types.join(', ')}`]
  })
  const intents = [...historiesOf(log, 'intent')].flatMap(([stream, types]) => {
    const ends = types.filter((type) => intentEnds.includes(type))
    return ends.length === 1 && types.at(-1) === 'IntentReported' ? [] : [`${stream}: ${types.join(', ')}`]
  })
  return [...transactions, ...intents]
}

const quittance = fileURLToPath(new URL('../../../../cli/src/main.ts', import.meta.url))

/** What a command of `quittance` says that proves something: nothing if it is proven. */
const unlessProven = (dataDir: string, words: ReadonlyArray<string>): Promise<ReadonlyArray<string>> =>
  new Promise((resolve) => {
    const env = { ...process.env, QUITTANCE_DATA_DIR: dataDir }
    execFile(process.execPath, ['--no-warnings', quittance, ...words], { env }, (failure, stdout, stderr) =>
      resolve(failure === null ? [] : [`quittance ${words.join(' ')}: ${stdout}${stderr}`]),
    )
  })
