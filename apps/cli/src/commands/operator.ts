import type { Billing } from '@quittance/billing'
import type { Environment } from '@quittance/domain'
import { Option } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import { type Command, mandatoryOption, option } from '../command.ts'
import { refused } from '../command-error.ts'
import { environmentOption, forMerchant, inEnvironment } from '../scope.ts'
import { feeAccountJson, feeAccountTable } from './fee-accounts.ts'

const ownOption = option(
  '--merchant <merchant_id>',
  "This merchant's own operator account; the service's unless given.",
)

const operatorCommand = (
  name: string,
  summary: string,
  explanation: string,
  needsSoundLog: boolean,
  accountOf: (
    operator: Billing['operator'],
    environment: Environment,
    merchantId: string | undefined,
  ) => ReturnType<Billing['operator']['show']>,
): Command => ({
  name,
  summary,
  explanation,
  options: [environmentOption, ownOption],
  needsSoundLog,
  example: {
    words: '--environment mainnet',
    prints: `ACCOUNT                                                   LUMENS
GOPERATOR…                                                not on the ledger`,
    json: '{"account":"G…","balance":null}',
  },
  run: (line, installation) =>
    inEnvironment(line, installation, async ({ operator }, { environment }) => {
      const found = await accountOf(operator, environment, line.option('merchant') ?? undefined)()
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
it pays the fees. Run it again to see the balance: it creates nothing more.
With --merchant it creates a merchant's own, which \`quittance operator adopt\` puts to use.`,
  true,
  (operator, environment, merchantId) => operator.create(environment, merchantId),
)

export const operatorShow = operatorCommand(
  'operator show',
  'Shows the account that charges subscriptions.',
  'Shows the balance of the account that charges subscriptions.',
  false,
  (operator, environment, merchantId) => operator.show(environment, merchantId),
)

export const operatorAdopt: Command = {
  name: 'operator adopt',
  summary: "Has a merchant's new mandates name its own operator account.",
  explanation: `New mandates of the merchant name the account that \`quittance operator create --merchant\` has made. It has to be on the
ledger with at least 1 XLM. Present mandates go on with the account that they name; \`quittance contract migrate --merchant\` has
their customers sign anew. --service goes back to the service's account for new mandates.`,
  options: [
    environmentOption,
    mandatoryOption('--merchant <merchant_id>', 'The merchant.'),
    new Option('--service', "Back to the service's account."),
  ],
  needsSoundLog: true,
  example: {
    words: '--merchant mer_… --environment mainnet',
    prints: 'New mandates of mer_… name its own operator account G….',
    json: '{"merchant_id":"mer_…","operator":"G…"}',
  },
  run: (line, installation) =>
    forMerchant(line, installation, async ({ operator }, context) => {
      const adopted = await operator.adopt(context, line.isSet('service') ? 'service' : 'own')()
      if (E.isLeft(adopted)) return adopted
      const { merchantId } = context
      const whose =
        adopted.right === null ? "the service's operator account" : `its own operator account ${adopted.right}`
      return E.right({
        status: 0,
        json: { merchant_id: merchantId, operator: adopted.right },
        text: `New mandates of ${merchantId} name ${whose}.`,
      })
    }),
}
