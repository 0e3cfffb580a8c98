import * as E from 'fp-ts/lib/Either.js'
import type { Command } from '../command.ts'
import { environmentOption, inEnvironment } from '../scope.ts'
import { reconciledJson, reconciledText } from './ledger-reconciled.ts'

export const ledgerCompare: Command = {
  name: 'ledger compare',
  summary: 'Compares the books with the balances of all settlement accounts.',
  explanation: `Compares the balance of every settlement account on the ledger with the books, which hold the money of payments and of
exceptions. It changes nothing. The exit status is 1 where they differ.`,
  options: [environmentOption],
  needsSoundLog: false,
  example: {
    words: '',
    prints: '3 balances compared, 0 differing.',
    json: `{"walked_to":51355530,"latest":51355530,"compared":3,"differing":0,"balances":[{"account":"G…","asset_id":"native",
  "counted":"10000","held":"10000","difference":"0"},…],"uncounted":[],"passed_over":[]}`,
  },
  run: (line, installation) =>
    inEnvironment(line, installation, async ({ following }, { environment }) => {
      const compared = await following.compare(environment)()
      if (E.isLeft(compared)) return compared
      return E.right({
        status: compared.right.comparison.differing > 0 ? 1 : 0,
        json: reconciledJson(compared.right),
        text: reconciledText(compared.right),
      })
    }),
}
