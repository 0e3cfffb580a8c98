import { type Stroops, stroopsFromDecimal } from '@quittance/domain'
import type { Deployed, SigningKey } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { type Command, type CommandResult, mandatoryOption, option, type ParsedLine } from '../command.ts'
import { type CommandError, usageError } from '../command-error.ts'
import { type Installation, isSecretSource } from '../installation.ts'
import { environmentOf, environmentOption } from '../scope.ts'
import { deploymentError } from './contract-error.ts'

const ledgersOfADay = 15_428
const longestDays = 180
const lookEveryMs = 1_000
const secretVariable = 'QUITTANCE_SOURCE_SECRET'

export const contractDeploy: Command = {
  name: 'contract deploy',
  summary: 'Deploys the mandate contract to a network.',
  explanation: `Uploads the contract of this version unless its code is there, creates it, and extends the life of the contract and its
code. Each step waits for the closed ledger that holds it. The id follows from the account and the code, so running the
command again repeats nothing. Then set QUITTANCE_MANDATE_CONTRACT_TESTNET or _MAINNET to the id.
Each step is priced first, and is not sent if it costs more than the limit.`,
  options: [
    environmentOption,
    mandatoryOption(
      '--source <env|stdin>',
      `Where the secret (S…) of the paying account is: ${secretVariable} or stdin.`,
    ),
    option('--days <days>', `How many days it lives: 30 unless given, at most ${longestDays}.`),
    option('--fee-limit <lumens>', 'The highest price of one step: 50 unless given.'),
  ],
  needsSoundLog: true,
  example: {
    words: '--environment mainnet --source stdin < secret.txt',
    prints: `CCONTRACT… runs 328ac827…
uploaded in ledger 51355520, created in ledger 51355522, extended in ledger 51355524`,
    json: `{"contract_id":"C…","wasm_hash":"328ac827…","ledgers":{"upload":51355520,"create":51355522,"extend":51355524}}`,
  },
  run: async (line, installation) => {
    const limits = limitsIn(line)
    if (E.isLeft(limits)) return limits
    const signer = await signerFrom(line, installation)
    if (E.isLeft(signer)) return signer
    const ledger = await installation.ledgerOf(environmentOf(line))
    if (E.isLeft(ledger)) return ledger
    const { deployContract } = await import('@quittance/ledger')
    const { committedContract } = await import('@quittance/host')
    const deployed = await deployContract(
      ledger.right,
      pause,
    )({
      wasm: committedContract().wasm,
      deployer: signer.right.publicKey,
      signer: signer.right,
      ...limits.right,
    })()
    return E.isLeft(deployed) ? E.left(deploymentError(deployed.left)) : E.right(resultOf(deployed.right))
  },
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, lookEveryMs))

type Limits = { readonly liveFor: number; readonly resourceFeeLimit: Stroops }

const limitsIn = (line: ParsedLine): E.Either<CommandError, Limits> => {
  const days = line.option('days') ?? '30'
  if (!/^\d{1,3}$/.test(days) || Number(days) > longestDays)
    return E.left(usageError(`--days takes a number up to ${longestDays}.`))
  const limit = stroopsFromDecimal(line.option('fee-limit') ?? '50')
  if (E.isLeft(limit)) return E.left(usageError('--fee-limit takes an amount of lumens, such as 50.'))
  return E.right({ liveFor: Number(days) * ledgersOfADay, resourceFeeLimit: limit.right })
}

const signerFrom = async (
  line: ParsedLine,
  installation: Installation,
): Promise<E.Either<CommandError, SigningKey>> => {
  const source = line.required('source')
  // The error does not repeat the text, which may be a secret.
  if (!isSecretSource(source)) return E.left(usageError('--source takes env or stdin, never a secret itself.'))
  const { signerOfSecret } = await import('@quittance/ledger')
  const signer = signerOfSecret(await installation.secretFrom(source, secretVariable))
  const place = source === 'env' ? secretVariable : 'stdin'
  return signer === null ? E.left(usageError(`There is no secret (S…) in ${place}.`)) : E.right(signer)
}

const done: Readonly<Record<keyof Deployed['ledgers'], string>> = {
  upload: 'uploaded',
  create: 'created',
  extend: 'extended',
}

const resultOf = ({ contract, wasmHash, ledgers }: Deployed): CommandResult => {
  const steps = (['upload', 'create', 'extend'] as const).flatMap((step) =>
    ledgers[step] === null ? [] : [`${done[step]} in ledger ${ledgers[step]}`],
  )
  return {
    status: 0,
    json: { contract_id: contract, wasm_hash: wasmHash, ledgers },
    text: [`${contract} runs ${wasmHash}`, steps.length === 0 ? 'nothing was left to do' : steps.join(', ')].join('\n'),
  }
}
