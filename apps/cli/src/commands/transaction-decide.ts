import type { Decided, Said } from '@quittance/billing'
import { TransactionHash } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { type Command, type CommandResult, mandatoryOption, option, type ParsedLine } from '../command.ts'
import { type CommandError, usageError } from '../command-error.ts'
import { readLedger } from '../option-values.ts'
import { counted, printable } from '../printing.ts'
import { environmentOption, inEnvironment } from '../scope.ts'
import { decisionOf, decisionOptions } from './decision.ts'

export const transactionDecide: Command = {
  name: 'transaction decide',
  summary: 'Records the outcome of a transaction that nobody can prove.',
  explanation: `A transaction and its money wait for the operator if the ledgers that may hold it were skipped, or if no node holds those
ledgers any more (\`quittance transaction list\` lists such transactions). This command records the outcome. It refuses
an outcome that the ledger proves by itself, or contradicts. A worker acts on it with the next ledger: a success is
settled, and the money of a failed or dead transaction is sent by another one. Be sure: if the first one succeeded all
the same, the money is sent twice.`,
  options: [
    mandatoryOption('--transaction <hash>', 'Its hash, 64 hex digits.'),
    mandatoryOption(
      '--as <outcome>',
      'succeeded, failed (a ledger holds it, and no money moved) or dead (no ledger does).',
    ),
    option('--ledger <ledger>', 'With succeeded: the ledger that holds it.'),
    ...decisionOptions,
    environmentOption,
  ],
  needsSoundLog: true,
  example: {
    words: '--transaction 3389e9f0… --as succeeded --ledger 51355112 --reason "two explorers show it"',
    prints:
      'Transaction 3389e9f0… succeeded in ledger 51355112, says operator. A worker acts with the next ledger: 2 intents.',
    json: `{"transaction_hash":"3389e9f0…","as":"succeeded","ledger":51355112,"by":"operator",
  "reason":"two explorers show it","intents":["int_…","int_…"]}`,
  },
  run: async (line, installation) => {
    const hash = TransactionHash.decode(line.required('transaction'))
    if (E.isLeft(hash)) return E.left(usageError('--transaction takes a hash of 64 lower-case hex digits.'))
    const outcome = outcomeIn(line)
    if (E.isLeft(outcome)) return outcome
    const decision = decisionOf(line)
    if (E.isLeft(decision)) return decision
    const request = { transactionHash: hash.right, said: outcome.right, ...decision.right }
    return inEnvironment(line, installation, async ({ transactions }, context) => {
      const decided = await transactions.decide(context, request)()
      return E.isLeft(decided) ? decided : E.right(resultOf(hash.right, decided.right))
    })
  },
}

const outcomeIn = (line: ParsedLine): E.Either<CommandError, Said> => {
  const [as, text] = [line.required('as'), line.option('ledger')]
  const ledger = readLedger(text ?? '')
  if (as === 'succeeded' && E.isRight(ledger)) return E.right({ as, ledger: ledger.right })
  if ((as === 'failed' || as === 'dead') && text === null) return E.right({ as })
  return E.left(usageError('--as takes failed, dead, or succeeded with the number of a --ledger.'))
}

const resultOf = (hash: TransactionHash, { decision, intents }: Decided): CommandResult => {
  const { as, by, reason } = decision
  const ledger = decision.as === 'succeeded' ? decision.ledger : null
  const outcome = as === 'dead' ? 'is dead' : ledger === null ? as : `${as} in ledger ${ledger}`
  return {
    status: 0,
    json: { transaction_hash: hash, as, ledger, by, reason, intents },
    text: printable(
      `Transaction ${hash} ${outcome}, says ${by}. A worker acts with the next ledger: ${counted(intents.length, 'intent')}.`,
    ),
  }
}
