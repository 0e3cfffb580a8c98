import type { Reconciliation } from '@quittance/billing'
import { type AssetId, LedgerSequence } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Answer, printable, table } from '../answer.ts'
import { type Command, option } from '../command.ts'
import { misuse } from '../complaint.ts'
import { complaintOf } from '../failures.ts'
import { counted } from '../progress.ts'
import { signed } from '../signed.ts'
import { environmentOption, whichEnvironment } from './ledger-environment.ts'

const name = 'reconcile'

/** The most lines of a kind that a person is shown; `--json` has all. */
const mostShown = 100

const ledgerOf = (text: string): E.Either<unknown, LedgerSequence> =>
  LedgerSequence.decode(/^[1-9][0-9]*$/.test(text) ? Number(text) : null)

/** The books against the ledger, movement by movement. */
export const reconcile: Command = {
  name,
  summary: 'Proves the books against the ledger, movement by movement.',
  explanation: `Reads closed ledgers again from the nodes, names every change of a settlement account's balance by what is recorded,
and adds up: what the books had before, and what moved, must be what is there after. It changes nothing and believes
nothing that a worker has found. The exit status is 1 where a change has no name, a line of the books is in no ledger,
or a sum differs. Ledgers that no node holds any more cannot be read again.`,
  options: [
    option('--from <ledger>', 'The first ledger; unless given, the first in which an account exists.'),
    option('--to <ledger>', 'The last one; unless given, the last that was walked.'),
    environmentOption,
    option('--merchant <id>', 'Only the accounts of this one.'),
  ],
  example: {
    words: '--from 51355001',
    prints: `ok: 530 ledgers, 12 movements: 9 payment, 1 refund, 2 unexplained.`,
    json: `{"from":51355001,"to":51355530,"ledgers":530,"movements":12,"named":{"set_up":0,"payment":9,…},
  "unexplained":[{"ledger":51355112,"transaction_hash":"…","account":"G…","asset":"native","delta":"-5.00002",
  "movements":["fee","payment"],"exception_id":"exc_…"}],"missing":[],"accounts":[{"account":"G…","asset":"native",
  "books":"9994.99998","ledger":"9994.99998","difference":"0"},…],"compared_with":"balances","ok":true}`,
  },
  run: (given, site) => {
    const environment = whichEnvironment(given, name)
    if (E.isLeft(environment)) return TE.left(environment.left)
    const named = (option: string) => {
      const text = given.option(option)
      return text === null ? E.right(null) : ledgerOf(text)
    }
    const [from, to] = [named('from'), named('to')]
    if (E.isLeft(from) || E.isLeft(to))
      return TE.left(misuse('--from and --to take the number of a ledger, such as 51355527.', name))
    const request = { from: from.right, to: to.right, merchantId: given.option('merchant') }
    return site.withBilling((billing) =>
      pipe(billing.following.reconcile(environment.right, request), TE.bimap(complaintOf, shown)),
    )
  },
}

const shown = (found: Reconciliation): Answer => ({
  status: found.isOk ? 0 : 1,
  json: json(found),
  text: [summary(found), ...details(found)].join('\n'),
})

const json = ({ from, to, movements, named, unexplained, missing, accounts, isHeld, isOk }: Reconciliation) => ({
  from,
  to,
  ledgers: to - from + 1,
  movements,
  named,
  unexplained: unexplained.map(({ ledger, transactionHash, account, assetId, delta, movements: kinds, exception }) => ({
    ledger,
    transaction_hash: transactionHash,
    account,
    asset: assetId,
    delta: signed(delta),
    movements: kinds,
    exception_id: exception,
  })),
  missing: missing.map(({ ledger, tag, id, account, assetId, delta }) => ({
    ledger,
    name: tag,
    id,
    account,
    asset: assetId,
    delta: signed(delta),
  })),
  accounts: accounts.map(({ account, assetId, books, ledger, difference }) => ({
    account,
    asset: assetId,
    books: signed(books),
    ledger: signed(ledger),
    difference: signed(difference),
  })),
  compared_with: isHeld ? 'balances' : 'movements',
  ok: isOk,
})

const summary = ({ from, to, movements, named, isOk }: Reconciliation): string => {
  const names = Object.entries(named).flatMap(([tag, count]) => (count === 0 ? [] : [`${count} ${tag}`]))
  const verdict = `${isOk ? 'ok' : 'not ok'}: ${counted(to - from + 1, 'ledger')}, ${counted(movements, 'movement')}`
  return `${verdict}${names.length === 0 ? '' : `: ${names.join(', ')}`}.`
}

const details = ({ unexplained, missing, accounts }: Reconciliation): ReadonlyArray<string> => {
  const amount = (delta: bigint, asset: AssetId) => `${signed(delta)} ${asset}`
  const unnamed = unexplained.flatMap(({ ledger, transactionHash, assetId, delta, exception }) =>
    exception === null ? [`no name: ${amount(delta, assetId)} by ${transactionHash} in ledger ${ledger}`] : [],
  )
  const nowhere = missing.map(
    ({ tag, id, assetId, delta, ledger }) => `in no ledger: ${amount(delta, assetId)} of ${tag} ${id}, for ${ledger}`,
  )
  return [unnamed, nowhere, differing(accounts)].flatMap((lines) => lines.slice(0, mostShown))
}

const differing = (accounts: Reconciliation['accounts']): ReadonlyArray<string> => {
  const wrong = accounts.filter(({ difference }) => difference !== 0n)
  if (wrong.length === 0) return []
  const rows = wrong.map(({ account, assetId, books, ledger, difference }) => [
    account,
    assetId,
    ...[books, ledger, difference].map(signed),
  ])
  return table([['ACCOUNT', 'ASSET', 'BOOKS', 'LEDGER', 'DIFFERENCE'], ...rows])
    .split('\n')
    .map(printable)
}
