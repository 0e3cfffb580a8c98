import { ContractId } from '@quittance/domain'
import type { ContractView } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Answer } from '../answer.ts'
import { type Command, mandatoryOption } from '../command.ts'
import { misuse, refused } from '../complaint.ts'
import { complaintOf } from '../failures.ts'
import { committedContract } from './committed-contract.ts'
import { environmentOption, whichEnvironment } from './ledger-environment.ts'

const name = 'contract verify'

/** Compares a contract on a network with the one that comes with this version. */
export const contractVerify: Command = {
  name,
  summary: 'Compares a contract on a network with the mandate contract of this version.',
  explanation: `Reads the contract and its code from the ledger, computes the SHA-256 of the code's bytes, and compares it with that of
the contract which comes with this version. Shows how many ledgers contract and code have left before they are archived.
The exit status is 1 where the bytes differ.`,
  options: [environmentOption, mandatoryOption('--contract <contract>', 'The contract (C…).')],
  example: {
    words: '--environment mainnet --contract CCONTRACT…',
    prints: `CCONTRACT… runs a8abf63b…, as this version does.
The contract lives for 518,400 ledgers more, its code for 518,400.`,
    json: `{"contract_id":"C…","wasm_hash":"a8abf63b…","expected_wasm_hash":"a8abf63b…","equal":true,"ledger":51355530,
  "instance_live_until":51873930,"code_live_until":51873930}`,
  },
  run: (given, site) => {
    const environment = whichEnvironment(given, name)
    if (E.isLeft(environment)) return TE.left(environment.left)
    const contract = ContractId.decode(given.required('contract'))
    if (E.isLeft(contract)) return TE.left(misuse('--contract takes the id of a contract (C…).', name))
    return pipe(
      TE.Do,
      TE.bind('ledger', () => site.ledgerOf(environment.right)),
      TE.bind('sdk', () => TE.fromTask(() => import('@quittance/ledger'))),
      TE.chain(({ ledger, sdk }) => TE.mapLeft(complaintOf)(sdk.readContract(ledger)(contract.right))),
      TE.chain((view) =>
        view === null
          ? TE.left(refused('no_such_contract', `There is no contract ${contract.right} on the ${environment.right}.`))
          : TE.right(shown(contract.right, view)),
      ),
    )
  },
}

const left = (liveUntil: number, asOf: number): string =>
  liveUntil < asOf ? 'is archived' : `lives for ${(liveUntil - asOf).toLocaleString('en')} ledgers more`

const shown = (contract: ContractId, { wasmHash, code, liveUntil, asOf }: ContractView): Answer => {
  const { wasmHash: expected } = committedContract()
  const found = code?.sha256 ?? wasmHash
  const isEqual = code?.sha256 === expected && wasmHash === expected
  const runs = found === null ? 'runs no code of its own' : `runs ${found}`
  const verdict = isEqual ? ', as this version does.' : `, and this version ${expected}.`
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
    text: [
      `${contract} ${runs}${verdict}`,
      `The contract ${left(liveUntil, asOf)}, its code ${code === null ? 'is not there' : left(code.liveUntil, asOf)}.`,
    ].join('\n'),
  }
}
