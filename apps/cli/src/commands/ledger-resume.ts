import type { Resumed } from '@quittance/billing'
import { Option } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import { type Command, type CommandResult, mandatoryOption } from '../command.ts'
import { usageError } from '../command-error.ts'
import { readLedger } from '../option-values.ts'
import { counted, printable } from '../printing.ts'
import { environmentOption, inEnvironment } from '../scope.ts'
import { decisionOf, decisionOptions } from './decision.ts'
import { reconciledJson, reconciledText } from './ledger-reconciled.ts'

export const ledgerResume: Command = {
  name: 'ledger resume',
  summary: 'Resumes ingestion behind ledgers that cannot be read.',
  explanation: `Ingestion halts where no node holds the next ledger any more, or can read it (\`/ready\` shows why). This command records
that ingestion goes on at another ledger, with the reason and a comparison of all balances with the books, and moves the
cursor; a running service goes on there. The ledgers in between are skipped for good. Running it again has the same
result. The exit status is 1 where books and ledger differ, although ingestion has resumed.`,
  options: [
    environmentOption,
    mandatoryOption('--from <ledger>', 'The sequence number of the next ledger to ingest.'),
    ...decisionOptions,
    new Option('--force', 'Skips ledgers even though ingestion has not halted.'),
  ],
  // Ingestion goes on beside a log that went back, and halts there more often: it shows what the log has forgotten.
  needsSoundLog: false,
  example: {
    words: '--from 51355527 --reason "the node was away for nine days"',
    prints: `Ingestion of the testnet goes on from ledger 51355527; 120,959 ledgers skipped.
3 balances compared, 0 differing.`,
    json: `{"environment":"testnet","from":51355527,"skipped":120959,"by":"operator","reason":"the node was away for nine days",
  "halted":{"reason":"RangePruned","ledger":51234568},"walked_to":51355526,"latest":51355530,"compared":3,"differing":0,
  "balances":[…],"uncounted":[]}`,
  },
  run: async (line, installation) => {
    const from = readLedger(line.required('from'))
    // The cursor stands at the ledger before, so the first ledger is too early.
    if (E.isLeft(from) || from.right === 1)
      return E.left(usageError('--from takes the number of a ledger, such as 51355527.'))
    const decision = decisionOf(line)
    if (E.isLeft(decision)) return decision
    const request = { from: from.right, ...decision.right, isForced: line.isSet('force') }
    return inEnvironment(line, installation, async ({ following }, context) => {
      const resumed = await following.resume(context, request)()
      return E.isLeft(resumed) ? resumed : E.right(resultOf(context.environment, resumed.right))
    })
  },
}

const resultOf = (environment: string, resumed: Resumed): CommandResult => {
  const { from, walkedTo, by, reason, halted } = resumed.resumption
  const skipped = Math.max(0, from - walkedTo - 1)
  return {
    status: resumed.comparison.differing > 0 ? 1 : 0,
    json: { environment, from, skipped, by, reason, halted, ...reconciledJson(resumed) },
    text: [
      printable(`Ingestion of the ${environment} goes on from ledger ${from}; ${counted(skipped, 'ledger')} skipped.`),
      reconciledText(resumed),
    ].join('\n'),
  }
}
