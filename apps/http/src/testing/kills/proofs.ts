import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Sandbox } from '@quittance/sandbox'
import type { Environment } from '../child-process.ts'
import { eventStoreOf } from '../event-store.ts'
import type { Stage } from './stage.ts'

/** Final events of transactions. */
export const transactionEnds: ReadonlyArray<string> = [
  'TransactionWithdrawn',
  'TransactionSucceeded',
  'TransactionFailed',
  'TransactionDied',
]
const intentEnds = ['IntentSettled', 'IntentRefused', 'IntentGivenUp']

type Judged = Pick<Stage, 'histories'> & {
  readonly network: { readonly sandbox: Pick<Sandbox, 'read'> }
}

/** Transactions and intents without exactly one outcome, with another outcome than on the ledger, or unreported. */
export const notEndedOnce = ({ histories, network: { sandbox } }: Judged): ReadonlyArray<string> => {
  const possibleFor = (hash: string): ReadonlyArray<string> => {
    const held = sandbox.read.findTransaction(hash)
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

/** What the command line fails to prove about a log and its books. */
export const notProven = async (dataDir: string): Promise<ReadonlyArray<string>> => [
  ...(await unlessProven(await settingsOf(dataDir), ['verify'])),
  ...(await unlessProven(await settingsOf(dataDir), ['reconcile', '--from', '2'])),
]

const settingsOf = async (dataDir: string): Promise<Environment> => ({
  QUITTANCE_DATA_DIR: dataDir,
  ...(await eventStoreOf(dataDir)),
})

/** The complaint of a `quittance` command; none when it proves its claim. */
export const unlessProven = (settings: Environment, words: ReadonlyArray<string>): Promise<ReadonlyArray<string>> =>
  new Promise((resolve) => {
    const env = { ...process.env, ...settings }
    execFile(process.execPath, ['--no-warnings', quittance, ...words], { env }, (failure, stdout, stderr) =>
      resolve(failure === null ? [] : [`quittance ${words.join(' ')}: ${stdout}${stderr}`]),
    )
  })
