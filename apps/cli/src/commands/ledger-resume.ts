import type { Resumed } from '@quittance/billing'
import { LedgerSequence } from '@quittance/domain'
import { Option } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Answer, printable } from '../answer.ts'
import { type Command, mandatoryOption } from '../command.ts'
import { misuse } from '../complaint.ts'
import { complaintOf } from '../failures.ts'
import { counted } from '../progress.ts'
import { operatorContext } from '../site.ts'
import { decisionOf, decisionOptions } from './decision.ts'
import { environmentOption, whichEnvironment } from './ledger-environment.ts'
import { reconciledJson, reconciledText } from './ledger-reconciled.ts'

const name = 'ledger resume'
/** Behind the first ledger, since the cursor stands at the one before. */
const isLedger = (text: string): boolean => /^[1-9][0-9]*$/.test(text) && Number(text) > 1

/** What a person does about a ledger that cannot be followed any further. */
export const ledgerResume: Command = {
  name,
  summary: 'Has a ledger followed on behind what cannot be read.',
  explanation: `Where no node holds the next ledger any more, or can read it, following has halted (\`/ready\` shows why). This records
that it goes on at another ledger, with the reason and a comparison of all balances with the books, and moves the
cursor; a service that runs goes on there. Ledgers in between are skipped for good. Run again, it ends in the same place.
The exit status is 1 where books and ledger differ, which keeps nothing from being resumed.`,
  options: [
    environmentOption,
    mandatoryOption('--from <ledger>', 'The ledger that is read next, by its number.'),
    ...decisionOptions,
    new Option('--force', 'Also where the ledger can be followed.'),
  ],
  example: {
    words: '--from 51355527 --reason "the node was away for nine days"',
    prints: `The testnet is followed from ledger 51355527 on; 120,959 ledgers skipped.
3 balances compared, 0 differing.`,
    json: `{"environment":"testnet","from":51355527,"skipped":120959,"by":"operator","reason":"the node was away for nine days",
  "halted":{"reason":"RangePruned","ledger":51234568},"walked_to":51355526,"latest":51355530,"compared":3,"differing":0,
  "balances":[…],"uncounted":[]}`,
  },
  run: (given, site) => {
    const environment = whichEnvironment(given, name)
    if (E.isLeft(environment)) return TE.left(environment.left)
    const from = LedgerSequence.decode(isLedger(given.required('from')) ? Number(given.required('from')) : null)
    if (E.isLeft(from)) return TE.left(misuse('--from takes the number of a ledger, such as 51355527.', name))
    const decision = decisionOf(given, name)
    if (E.isLeft(decision)) return TE.left(decision.left)
    const request = { from: from.right, ...decision.right, isForced: given.isSet('force') }
    return site.withBilling((billing) =>
      pipe(
        billing.following.resume(operatorContext(billing, environment.right), request),
        TE.bimap(complaintOf, (resumed) => shown(environment.right, resumed)),
      ),
    )
  },
}

const shown = (environment: string, resumed: Resumed): Answer => {
  const { from, walkedTo, by, reason, halted } = resumed.resumption
  const skipped = Math.max(0, from - walkedTo - 1)
  return {
    status: resumed.comparison.differing > 0 ? 1 : 0,
    json: { environment, from, skipped, by, reason, halted, ...reconciledJson(resumed) },
    text: [
      printable(`The ${environment} is followed from ledger ${from} on; ${counted(skipped, 'ledger')} skipped.`),
      reconciledText(resumed),
    ].join('\n'),
  }
}
