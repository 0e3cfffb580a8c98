import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Answer } from '../answer.ts'
import type { Command } from '../command.ts'
import { complaintOf } from '../failures.ts'
import { environmentOption, whichEnvironment } from './ledger-environment.ts'
import { reconciledJson, reconciledText } from './ledger-reconciled.ts'

const name = 'ledger compare'

/** Books and ledger side by side; changes nothing. */
export const ledgerCompare: Command = {
  name,
  summary: 'Compares the books with the balances of all settlement accounts.',
  explanation: `Compares what the books know of every settlement account with what the ledger holds, and changes nothing. Books hold
what payments and exceptions name. The exit status is 1 where they differ.`,
  options: [environmentOption],
  example: {
    words: '',
    prints: '3 balances compared, 0 differing.',
    json: `{"walked_to":51355530,"latest":51355530,"compared":3,"differing":0,"balances":[{"account":"G…","asset_id":"native",
  "counted":"10000","held":"10000","difference":"0"},…],"uncounted":[]}`,
  },
  run: (given, site) => {
    const environment = whichEnvironment(given, name)
    if (E.isLeft(environment)) return TE.left(environment.left)
    return site.withBilling((billing) =>
      pipe(
        billing.following.compare(environment.right),
        TE.bimap(
          complaintOf,
          (found): Answer => ({
            status: found.comparison.differing > 0 ? 1 : 0,
            json: reconciledJson(found),
            text: reconciledText(found),
          }),
        ),
      ),
    )
  },
}
