import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Sandbox } from '@quittance/sandbox'
import { paymentsOn, straysOn } from './books.ts'
import type { KillRun } from './kill-run.ts'
import type { Stage } from './stage.ts'

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
export const judge = async ({ dataDir, network, histories }: Stage, run: KillRun): Promise<Verdict> => ({
  ...byLedger(network.sandbox, run),
  answeredDifferently: answeredDifferently(run),
  notEndedOnce: notEndedOnce(histories, network.sandbox),
  notProven: await notProven(dataDir),
})

/** What must have left the account: each payment to be refunded, and each credit that named nothing. */
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
    ],
    paidForNothing: out.filter((what) => !due.includes(what)),
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

/** Transactions and intents that have not exactly one end, that of the ledger, or of which somebody has not been told. */
export const notEndedOnce = (histories: Stage['histories'], { read }: Sandbox): ReadonlyArray<string> => {
  const possibleFor = (hash: string): ReadonlyArray<string> => {
    const held = read.findTransaction(hash)
    if (held === undefined) return ['TransactionWithdrawn', 'TransactionDied']
    return [held.succeeded ? 'TransactionSucceeded' : 'TransactionFailed']
  }
  const unless = (category: string, last: string, ends: ReadonlyArray<string>, possible: typeof possibleFor) =>
    [...histories(category)].flatMap(([stream, types]) => {
      const [end = '', ...more] = types.filter((type) => ends.includes(type))
      const isRight = possible(stream.slice(category.length + 1)).includes(end)
      return isRight && more.length === 0 && types.at(-1) === last ? [] : [`${stream}: ${types.join(', ')}`]
    })
  return [
    ...unless('stellartx', 'TransactionClosed', transactionEnds, possibleFor),
    ...unless('intent', 'IntentReported', intentEnds, () => intentEnds),
  ]
}

const quittance = fileURLToPath(new URL('../../../../cli/src/main.ts', import.meta.url))

/** What the command line does not prove of a log and its books. */
export const notProven = async (dataDir: string): Promise<ReadonlyArray<string>> => [
  ...(await unlessProven(dataDir, ['verify'])),
  ...(await unlessProven(dataDir, ['reconcile', '--from', '2'])),
]

/** What a command of `quittance` says that proves something: nothing if it is proven. */
const unlessProven = (dataDir: string, words: ReadonlyArray<string>): Promise<ReadonlyArray<string>> =>
  new Promise((resolve) => {
    const env = { ...process.env, QUITTANCE_DATA_DIR: dataDir }
    execFile(process.execPath, ['--no-warnings', quittance, ...words], { env }, (failure, stdout, stderr) =>
      resolve(failure === null ? [] : [`quittance ${words.join(' ')}: ${stdout}${stderr}`]),
    )
  })
