import type { Billing, MadeOperator } from '@quittance/billing'
import { decimalFromStroops, type Environment } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Answer, table } from '../answer.ts'
import type { Command } from '../command.ts'
import { refused } from '../complaint.ts'
import { complaintOf } from '../failures.ts'
import { environmentOption, whichEnvironment } from './ledger-environment.ts'

type Asked = ReturnType<Billing['operator']['show']>

const operatorCommand = (
  name: string,
  summary: string,
  explanation: string,
  ask: (billing: Billing, environment: Environment) => Asked,
): Command => ({
  name,
  summary,
  explanation,
  options: [environmentOption],
  example: {
    words: '--environment mainnet',
    prints: `ACCOUNT                                                   LUMENS
GOPERATOR…                                                not on the ledger`,
    json: '{"account":"G…","balance":null}',
  },
  run: (given, site) => {
    const environment = whichEnvironment(given, name)
    if (E.isLeft(environment)) return TE.left(environment.left)
    return site.withBilling((billing) =>
      pipe(
        ask(billing, environment.right),
        TE.mapLeft(complaintOf),
        TE.chain((found) => (found === null ? TE.left(notMade) : TE.right(answerOf(found)))),
      ),
    )
  },
})

const notMade = refused('operator_not_created', 'There is no operator account. `quittance operator create` makes one.')

const answerOf = ({ account, balance }: MadeOperator): Answer => {
  const lumens = balance === null ? null : decimalFromStroops(balance)
  return {
    status: 0,
    json: { account, balance: lumens },
    text: table([
      ['ACCOUNT', 'LUMENS'],
      [account, lumens ?? 'not on the ledger'],
    ]),
  }
}

/** The account that charges subscriptions. */
export const operatorCreate = operatorCommand(
  'operator create',
  'Makes the account that charges subscriptions.',
  `A customer's mandate names the account that may charge it, for ever: there is one in an environment. This makes its key,
and shows the account to fund with lumens: nothing is charged while it is not on the ledger. Without channel accounts it
pays the fees. Run again, it makes nothing and shows what the account holds.`,
  (billing, environment) => billing.operator.create(environment),
)

/** What that account holds. */
export const operatorShow = operatorCommand(
  'operator show',
  'Shows the account that charges subscriptions.',
  'What the account that charges subscriptions holds, where there is one.',
  (billing, environment) => billing.operator.show(environment),
)
