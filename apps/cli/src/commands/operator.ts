import type { Billing } from '@quittance/billing'
import type { Environment } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { Command } from '../command.ts'
import { refused } from '../command-error.ts'
import { environmentOption, inEnvironment } from '../scope.ts'
import { feeAccountJson, feeAccountTable } from './fee-accounts.ts'

const operatorCommand = (
  name: string,
  summary: string,
  explanation: string,
  needsSoundLog: boolean,
  accountOf: (operator: Billing['operator'], environment: Environment) => ReturnType<Billing['operator']['show']>,
): Command => ({
  name,
  summary,
  explanation,
  options: [environmentOption],
  needsSoundLog,
  example: {
    words: '--environment mainnet',
    prints: `ACCOUNT                                                   LUMENS
GOPERATOR…                                                not on the ledger`,
    json: '{"account":"G…","balance":null}',
  },
  run: (line, installation) =>
    inEnvironment(line, installation, async ({ operator }, { environment }) => {
      const found = await accountOf(operator, environment)()
      if (E.isLeft(found)) return found
      if (found.right === null) return E.left(notCreated)
      const json = feeAccountJson(found.right)
      return E.right({ status: 0, json, text: feeAccountTable([json]) })
    }),
})

const notCreated = refused(
  'operator_not_created',
  'There is no operator account. `quittance operator create` makes one.',
)

export const operatorCreate = operatorCommand(
  'operator create',
  'Creates the account that charges subscriptions.',
  `A customer's mandate names the account that may charge it, for ever: there is one in each environment. This creates its
key, and shows the account. Fund it with lumens: nothing is charged until it is on the ledger. Without channel accounts
it pays the fees. Run it again to see the balance: it creates nothing more.`,
  true,
  (operator, environment) => operator.create(environment),
)

export const operatorShow = operatorCommand(
  'operator show',
  'Shows the account that charges subscriptions.',
  'Shows the balance of the account that charges subscriptions.',
  false,
  (operator, environment) => operator.show(environment),
)
