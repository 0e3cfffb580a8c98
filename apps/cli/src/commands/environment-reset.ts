import type { Environment, NetworkReset } from '@quittance/domain'
import { Argument, Option } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import type { Command, CommandResult } from '../command.ts'
import { printable } from '../printing.ts'
import { ownContractText } from './contract-id.ts'
import { decisionOf, decisionOptions } from './decision.ts'

export const environmentReset: Command = {
  name: 'environment reset',
  summary: 'Starts an environment anew after its network was reset.',
  explanation: `The testnet is reset a few times a year: ledgers are numbered anew, and accounts, trustlines, contracts and mandates are
gone. The service notices (\`/ready\` says network_reset) and begins nothing on the testnet until this command is run. It ends
what lived there with the reason network_reset: checkouts, invoices, subscriptions and their access, mandates, charges,
refunds, payouts, exceptions, migrations and price changes. It closes the books with the balances that are gone, starts new
ones, and has the accounts made again with the same keys and addresses, and the mandate contract if the operator account had
made it (\`quittance contract id\`). Products, customers, keys and webhooks stay, and so
do other environments. After a crash, run it again: it goes on. The mainnet is refused.`,
  argument: new Argument('<environment>', 'testnet.').choices(['testnet', 'mainnet']),
  options: [
    ...decisionOptions,
    new Option('--force', 'Resets the environment although nothing shows that its network was reset.'),
  ],
  needsSoundLog: true,
  example: {
    words: 'testnet --reason "the quarterly reset" --by Ada',
    prints: `Started anew: the testnet, after ledger 1234567, says Ada. Its ledgers are ingested from 42 on.
The worker makes the mandate contract C… where the ledger lacks it.`,
    json: '{"environment":"testnet","reset":1,"ended":{"ledger":1234567,"closed_at":"2026-12-16T17:00:00.000Z"},"begins":{"ledger":41,"closed_at":"2026-12-16T19:00:00.000Z"},"by":"Ada","reason":"the quarterly reset","forced":false,"at":"2026-12-16T19:05:00.000Z","contract":{"configured":"C…","own":"C…"}}',
  },
  run: async (line, { withBilling }) => {
    const decision = decisionOf(line)
    if (E.isLeft(decision)) return decision
    const environment = line.required('environment') === 'mainnet' ? 'mainnet' : 'testnet'
    return withBilling(async ({ networkResets, mandateContracts }) => {
      const done = await networkResets.reset(environment, { ...decision.right, isForced: line.isSet('force') })()
      return E.isLeft(done) ? done : E.right(resultOf(environment, done.right, await mandateContracts.own(environment)))
    })
  },
}

const resultOf = (
  environment: Environment,
  { epoch, ended, begins, by, reason, at, isForced }: NetworkReset,
  contract: Parameters<typeof ownContractText>[1],
): CommandResult => ({
  status: 0,
  json: {
    environment,
    reset: epoch,
    ended: pointJson(ended),
    begins: pointJson(begins),
    by,
    reason,
    forced: isForced === true,
    at: new Date(at).toISOString(),
    contract: { configured: contract.configured, own: contract.own?.contract ?? null },
  },
  text: [
    printable(
      `Started anew: the ${environment}, after ledger ${ended.ledger}, says ${by}. Its ledgers are ingested from ${begins.ledger + 1} on.`,
    ),
    ...[ownContractText(environment, contract)].filter((line) => line !== null),
  ].join('\n'),
})

const pointJson = ({ ledger, closedAt }: NetworkReset['ended']) => ({
  ledger,
  closed_at: new Date(closedAt).toISOString(),
})
