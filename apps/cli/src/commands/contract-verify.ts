import { ContractId } from '@quittance/domain'
import type { ContractView } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { type Command, type CommandResult, mandatoryOption } from '../command.ts'
import { refused, usageError } from '../command-error.ts'
import { failureError } from '../failures.ts'
import { environmentOf, environmentOption } from '../scope.ts'

export const contractVerify: Command = {
  name: 'contract verify',
  summary: 'Compares a contract on a network with the mandate contract of this version.',
  explanation: `Reads the contract and its code from the ledger, computes the SHA-256 of the code, and compares it with the contract of
this version. Shows how many ledgers the contract and its code have left before they are archived.
The exit status is 1 where the bytes differ.`,
  options: [environmentOption, mandatoryOption('--contract <contract>', 'The contract (C…).')],
  needsSoundLog: false,
  example: {
    words: '--environment mainnet --contract CCONTRACT…',
    prints: `CCONTRACT… runs 328ac827…, as this version does.
The contract lives for 518,400 ledgers more, its code for 518,400.`,
    json: `{"contract_id":"C…","wasm_hash":"328ac827…","expected_wasm_hash":"328ac827…","equal":true,"ledger":51355530,
  "instance_live_until":51873930,"code_live_until":51873930}`,
  },
  run: async (line, installation) => {
    const environment = environmentOf(line)
    const contract = ContractId.decode(line.required('contract'))
    if (E.isLeft(contract)) return E.left(usageError('--contract takes the id of a contract (C…).'))
    const ledger = await installation.ledgerOf(environment)
    if (E.isLeft(ledger)) return ledger
    const { readContract } = await import('@quittance/ledger')
    const { committedContract } = await import('@quittance/host')
    const view = await readContract(ledger.right)(contract.right)()
    if (E.isLeft(view)) return E.left(failureError(view.left))
    return view.right === null
      ? E.left(refused('no_such_contract', `There is no contract ${contract.right} on the ${environment}.`))
      : E.right(resultOf(contract.right, view.right, committedContract().sha256))
  },
}

const lifeOf = (liveUntil: number, asOf: number): string =>
  liveUntil < asOf ? 'is archived' : `lives for ${(liveUntil - asOf).toLocaleString('en')} ledgers more`

const resultOf = (
  contract: ContractId,
  { wasmHash, code, liveUntil, asOf }: ContractView,
  expected: string,
): CommandResult => {
  const found = code?.sha256 ?? wasmHash
  const isEqual = code?.sha256 === expected && wasmHash === expected
  const runs = found === null ? 'runs no code of its own' : `runs ${found}`
  const verdict = isEqual ? ', as this version does.' : `, and this version ${expected}.`
  const codeLife = code === null ? 'is not there' : lifeOf(code.liveUntil, asOf)
  return {
    status: isEqual ? 0 : 1,
    json: {
      contract_id: contract,
      wasm_hash: found,
      expected_wasm_hash: expected,
      equal: isEqual,
      ledger: asOf,
      instance_live_until: liveUntil,
      code_live_until: code?.liveUntil ?? null,
    },
    text: `${contract} ${runs}${verdict}\nThe contract ${lifeOf(liveUntil, asOf)}, its code ${codeLife}.`,
  }
}
