import type { Decided, Said } from '@quittance/billing'
import { LedgerSequence, TransactionHash } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Answer, printable } from '../answer.ts'
import { type Command, type Given, mandatoryOption, option } from '../command.ts'
import { type Complaint, misuse } from '../complaint.ts'
import { complaintOf } from '../failures.ts'
import { counted } from '../progress.ts'
import { operatorContext } from '../site.ts'
import { decisionOf, decisionOptions } from './decision.ts'
import { environmentOption, whichEnvironment } from './ledger-environment.ts'

const name = 'transaction decide'

/** What a person says about money on its way out of which nobody can prove what became. */
export const transactionDecide: Command = {
  name,
  summary: 'Ends a transaction of ours whose end nobody can prove.',
  explanation: `Where the ledgers that may hold a transaction were skipped, or no node holds them any more, it waits for a person, and so
does the money in it (\`quittance transaction list\` shows them). This records what became of it. Refused is what the ledger
can tell by itself, or tells otherwise. A worker goes on with the next ledger: what succeeded is settled, what failed or
is dead is paid by another transaction. Be sure: of money that left all the same, this pays a second time.`,
  options: [
    mandatoryOption('--transaction <hash>', 'Its hash, 64 hex digits.'),
    mandatoryOption('--as <end>', 'succeeded, failed (a ledger holds it, and nothing moved) or dead (none does).'),
    option('--ledger <ledger>', 'With succeeded: the ledger that holds it.'),
    ...decisionOptions,
    environmentOption,
  ],
  example: {
    words: '--transaction 3389e9f0… --as succeeded --ledger 51355112 --reason "two explorers show it"',
    prints:
      'Transaction 3389e9f0… succeeded in ledger 51355112, says operator. A worker goes on with the next ledger: 2 intents.',
    json: `{"transaction_hash":"3389e9f0…","as":"succeeded","ledger":51355112,"by":"operator",
  "reason":"two explorers show it","intents":["int_…","int_…"]}`,
  },
  run: (given, site) => {
    const environment = whichEnvironment(given, name)
    if (E.isLeft(environment)) return TE.left(environment.left)
    const hash = TransactionHash.decode(given.required('transaction'))
    if (E.isLeft(hash)) return TE.left(misuse('--transaction takes a hash of 64 lower-case hex digits.', name))
    const said = saidIn(given)
    if (E.isLeft(said)) return TE.left(said.left)
    const decision = decisionOf(given, name)
    if (E.isLeft(decision)) return TE.left(decision.left)
    const request = { transactionHash: hash.right, said: said.right, ...decision.right }
    return site.withBilling((billing) =>
      pipe(
        billing.transactions.decide(operatorContext(billing, environment.right), request),
        TE.bimap(complaintOf, (decided) => shown(hash.right, decided)),
      ),
    )
  },
}

const saidIn = (given: Given): E.Either<Complaint, Said> => {
  const [as, text] = [given.required('as'), given.option('ledger')]
  const ledger = LedgerSequence.decode(text !== null && /^[1-9][0-9]*$/.test(text) ? Number(text) : null)
  if (as === 'succeeded' && E.isRight(ledger)) return E.right({ as, ledger: ledger.right })
  if ((as === 'failed' || as === 'dead') && text === null) return E.right({ as })
  return E.left(misuse('--as takes failed, dead, or succeeded with the number of a --ledger.', name))
}

const shown = (hash: TransactionHash, { decision, intents }: Decided): Answer => {
  const { as, by, reason } = decision
  const ledger = decision.as === 'succeeded' ? decision.ledger : null
  const end = as === 'dead' ? 'is dead' : ledger === null ? as : `${as} in ledger ${ledger}`
  return {
    status: 0,
    json: { transaction_hash: hash, as, ledger, by, reason, intents },
    text: printable(
      `Transaction ${hash} ${end}, says ${by}. A worker goes on with the next ledger: ${counted(intents.length, 'intent')}.`,
    ),
  }
}
