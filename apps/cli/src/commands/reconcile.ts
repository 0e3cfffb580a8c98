import type { LogReconciliation, Reconciliation } from '@quittance/billing'
import type { AssetId } from '@quittance/domain'
import type { LostRevenue } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { type Command, type CommandResult, option } from '../command.ts'
import { usageError } from '../command-error.ts'
import { readLedger } from '../option-values.ts'
import { counted, printable, signed, table } from '../printing.ts'
import { logLine } from '../progress.ts'
import { environmentOption, inEnvironment } from '../scope.ts'

/** The most lines of a kind that the text lists; `--json` has all. */
const mostListed = 100

export const reconcile: Command = {
  name: 'reconcile',
  summary: 'Proves the books against the ledger, movement by movement.',
  explanation: `Reads closed ledgers again from the nodes, explains every change of a settlement account's balance by a record in the
books, and checks the sums: the balance before and the movements must make the balance after. Then it folds the log itself: its
events must add up to what the ledger holds, and each incoming payment that one of them records must be in the ledger, with
the same transaction, operation, account, asset and amount, and be recorded once. It changes nothing, and does not rely on the
findings of workers. The exit status is 1 if a change is unexplained, a record is in no ledger, or a sum differs. Ledgers that no node holds any more cannot be read again.`,
  options: [
    option('--from <ledger>', 'The first ledger; unless given, the first in which an account exists.'),
    option('--to <ledger>', 'The last ledger; unless given, the last ingested one.'),
    environmentOption,
    option('--merchant <id>', 'Only the accounts of this merchant.'),
  ],
  needsSoundLog: false,
  example: {
    words: '--from 51355001',
    prints: `ok: 530 ledgers, 12 movements: 9 payment, 1 refund, 2 unexplained.
The journal equals the ledger: 5,120 events, 9 incoming payments.`,
    json: `{"from":51355001,"to":51355530,"ledgers":530,"movements":12,"named":{"set_up":0,"payment":9,…},
  "unexplained":[{"ledger":51355112,"transaction_hash":"…","account":"G…","asset":"native","delta":"-5.00002",
  "movements":["fee","payment"],"exception_id":"exc_…"}],"missing":[],"accounts":[{"account":"G…","asset":"native",
  "books":"9994.99998","ledger":"9994.99998","difference":"0"},…],"compared_with":"balances","ok":true,
  "log":{"events":5120,"proven":9,"forged":[],"balances":[{"merchant_id":"mer_…","asset":"native","journal":"9994.99998",
  "under_way":"0","ledger":"9994.99998","difference":"0"},…]},
  "lost_revenue":[{"currency":"USD","amount":"30","periods":3,"subscriptions":2}]}`,
  },
  run: async (line, installation, screen) => {
    const [first, last] = [line.option('from'), line.option('to')]
    const from = first === null ? E.right(null) : readLedger(first)
    const to = last === null ? E.right(null) : readLedger(last)
    if (E.isLeft(from) || E.isLeft(to))
      return E.left(usageError('--from and --to take the number of a ledger, such as 51355527.'))
    const request = { from: from.right, to: to.right, merchantId: line.option('merchant') }
    return inEnvironment(line, installation, async ({ following, lostRevenues }, { environment }) => {
      const read = logLine(screen, (events) => counted(events, 'event'))
      const found = await following.reconcile(environment, request, (events, part) => read.show(part, events))()
      read.end()
      if (E.isLeft(found)) return found
      const lost = await lostRevenues(environment, request.merchantId)()
      return E.isLeft(lost) ? lost : E.right(resultOf(found.right, lost.right))
    })
  },
}

const resultOf = (found: LogReconciliation, lost: ReadonlyArray<LostRevenue>): CommandResult => ({
  status: found.isOk ? 0 : 1,
  json: {
    ...jsonOf(found),
    log: logJson(found.log),
    lost_revenue: lost.map(({ currency, subscriptions, periods, cents }) => ({
      currency,
      amount: String(cents / 100),
      periods,
      subscriptions,
    })),
  },
  text: [
    summary(found),
    journalLine(found.log),
    ...details(found),
    ...logDetails(found.log),
    ...lost.map(lostLine),
  ].join('\n'),
})

const lostLine = ({ currency, subscriptions, periods, cents }: LostRevenue): string =>
  `lost revenue: ${String(cents / 100)} ${currency}, for ${counted(periods, 'period')} of ${counted(subscriptions, 'subscription')} that no attempt could settle`

const jsonOf = ({ from, to, movements, named, unexplained, missing, accounts, isHeld, isOk }: Reconciliation) => ({
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
  const unexplainedLines = unexplained.flatMap(({ ledger, transactionHash, assetId, delta, exception }) =>
    exception === null ? [`unexplained: ${amount(delta, assetId)} by ${transactionHash} in ledger ${ledger}`] : [],
  )
  const missingLines = missing.map(
    ({ tag, id, assetId, delta, ledger }) => `in no ledger: ${amount(delta, assetId)} of ${tag} ${id}, for ${ledger}`,
  )
  return [unexplainedLines, missingLines, differing(accounts)].flatMap((lines) => lines.slice(0, mostListed))
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

const logJson = ({ events, proven, forged, balances }: LogReconciliation['log']) => ({
  events,
  proven,
  forged: forged.map(({ reason, subject, merchantId, stream, revision, transactionHash }) => ({
    reason,
    id: subject,
    merchant_id: merchantId,
    stream,
    revision: Number(revision),
    transaction_hash: transactionHash,
  })),
  balances: balances.map(({ merchantId, assetId, journal, underWay, ledger, difference }) => ({
    merchant_id: merchantId,
    asset: assetId,
    journal: signed(journal),
    under_way: signed(underWay),
    ledger: signed(ledger),
    difference: signed(difference),
  })),
})

const journalLine = ({ events, proven, balances }: LogReconciliation['log']): string => {
  const differing = balances.filter(({ difference }) => difference !== 0n)
  const read = `${counted(events, 'event')}, ${counted(proven, 'incoming payment')}`
  return differing.length === 0
    ? `The journal equals the ledger: ${read}.`
    : `The journal differs from the ledger in ${counted(differing.length, 'balance')}: ${read}.`
}

const logDetails = ({ forged, balances }: LogReconciliation['log']): ReadonlyArray<string> => {
  const wrong = balances.filter(({ difference }) => difference !== 0n)
  const sums = wrong.map(
    ({ merchantId, assetId, journal, ledger }) =>
      `journal of ${merchantId}: ${signed(journal)} ${assetId}, the ledger holds ${signed(ledger)}`,
  )
  const events = forged.map(
    ({ reason, subject, stream, revision, transactionHash }) =>
      `${reasons[reason]}: ${subject} by ${transactionHash} (${stream} @ ${revision})`,
  )
  return [events, sums].flatMap((lines) => lines.slice(0, mostListed).map(printable))
}

const reasons: Readonly<Record<LogReconciliation['log']['forged'][number]['reason'], string>> = {
  not_on_ledger: 'the ledger holds no such incoming payment',
  differs: 'the ledger holds another amount or asset',
  of_another_account: 'the ledger holds it at another account',
  recorded_twice: 'an earlier event has recorded this incoming payment',
  not_covered: 'confirmed for another amount than came in',
}
