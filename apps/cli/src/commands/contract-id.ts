import type { Billing } from '@quittance/billing'
import type { Environment } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { Command } from '../command.ts'
import { refused } from '../command-error.ts'
import { environmentOption, inEnvironment } from '../scope.ts'

type OwnContract = Awaited<ReturnType<Billing['mandateContracts']['own']>>

/** How the mandate contract of this version comes to the ledger. Null without an operator account. */
export const ownContractText = (environment: Environment, { configured, own }: OwnContract): string | null => {
  if (own === null) return null
  return own.contract === configured
    ? `The worker makes the mandate contract ${own.contract} where the ledger lacks it.`
    : `Set QUITTANCE_MANDATE_CONTRACT_${environment.toUpperCase()} to ${own.contract} and restart the service: its worker makes that mandate contract.`
}

export const contractId: Command = {
  name: 'contract id',
  summary: 'Shows the mandate contract that the operator account makes.',
  explanation: `The id follows from the operator account, the code of this version and the network. Set QUITTANCE_MANDATE_CONTRACT_TESTNET
or _MAINNET to it: the worker uploads the code, creates the contract and keeps it alive, and does so again after a reset of the
testnet. The operator account pays, at most 50 XLM for each step.`,
  options: [environmentOption],
  needsSoundLog: false,
  example: {
    words: '--environment testnet',
    prints:
      'Set QUITTANCE_MANDATE_CONTRACT_TESTNET to CCONTRACT… and restart the service: its worker makes that mandate contract.',
    json: '{"environment":"testnet","contract_id":"C…","operator":"G…","wasm_hash":"328ac827…","configured":null}',
  },
  run: (line, installation) =>
    inEnvironment(line, installation, async ({ mandateContracts }, { environment }) => {
      const found = await mandateContracts.own(environment)
      const text = ownContractText(environment, found)
      if (found.own === null || text === null) return E.left(notCreated)
      const { contract, operator, code } = found.own
      const json = { contract_id: contract, operator, wasm_hash: code.sha256, configured: found.configured }
      return E.right({ status: 0, json: { environment, ...json }, text })
    }),
}

const notCreated = refused(
  'operator_not_created',
  'There is no operator account on a configured network. `quittance operator create` makes one.',
)
