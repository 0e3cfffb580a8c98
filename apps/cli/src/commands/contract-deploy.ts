import { type Stroops, stroopsFromDecimal } from '@quittance/domain'
import type { Deployed, Signer } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Answer } from '../answer.ts'
import { type Command, type Given, mandatoryOption, option } from '../command.ts'
import { type Complaint, misuse } from '../complaint.ts'
import { type SecretSource, type Site, secretVariable } from '../site.ts'
import { committedContract } from './committed-contract.ts'
import { deploymentComplaint } from './contract-complaint.ts'
import { environmentOption, whichEnvironment } from './ledger-environment.ts'

const name = 'contract deploy'
const ledgersOfADay = 15_428
const longestDays = 180
const lookEveryMs = 1_000

/** Puts the mandate contract on a network. */
export const contractDeploy: Command = {
  name,
  summary: 'Puts the mandate contract on a network.',
  explanation: `Uploads the contract that comes with this version unless its code is there, creates it, and has code and contract live
for as long as is said. Each step waits for the closed ledger that holds it. The id follows from the account and the
code: run again, nothing is done twice. Then QUITTANCE_MANDATE_CONTRACT_TESTNET or _MAINNET is set to it.
Before each step its price is asked for; what is above the limit is not sent.`,
  options: [
    environmentOption,
    mandatoryOption(
      '--source <env|stdin>',
      `Where the secret (S…) of the account is that pays: in ${secretVariable}, or on stdin.`,
    ),
    option('--days <days>', `How long it is to live, 30 unless given, at most ${longestDays}.`),
    option('--fee-limit <lumens>', 'The most that one step may cost, 50 unless given.'),
  ],
  example: {
    words: '--environment mainnet --source stdin < secret.txt',
    prints: `CCONTRACT… runs a8abf63b…
uploaded in ledger 51355520, created in ledger 51355522, extended in ledger 51355524`,
    json: `{"contract_id":"C…","wasm_hash":"a8abf63b…","ledgers":{"upload":51355520,"create":51355522,"extend":51355524}}`,
  },
  run: (given, site) => {
    const environment = whichEnvironment(given, name)
    if (E.isLeft(environment)) return TE.left(environment.left)
    const limits = limitsIn(given)
    if (E.isLeft(limits)) return TE.left(limits.left)
    return pipe(
      TE.Do,
      TE.bind('signer', () => signerFrom(given, site)),
      TE.bind('ledger', () => site.ledgerOf(environment.right)),
      TE.bind('sdk', () => TE.fromTask(() => import('@quittance/ledger'))),
      TE.chain(({ signer, ledger, sdk }) =>
        pipe(
          sdk.deployContract(
            ledger,
            pause,
          )({
            wasm: committedContract().wasm,
            deployer: signer.publicKey,
            signer,
            ...limits.right,
          }),
          TE.bimap(deploymentComplaint, shown),
        ),
      ),
    )
  },
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, lookEveryMs))

type Limits = { readonly liveFor: number; readonly resourceFeeLimit: Stroops }

const limitsIn = (given: Given): E.Either<Complaint, Limits> => {
  const days = given.option('days') ?? '30'
  if (!/^\d{1,3}$/.test(days) || Number(days) > longestDays)
    return E.left(misuse(`--days takes a number up to ${longestDays}.`, name))
  return pipe(
    stroopsFromDecimal(given.option('fee-limit') ?? '50'),
    E.bimap(
      () => misuse('--fee-limit takes an amount of lumens, such as 50.', name),
      (resourceFeeLimit) => ({ liveFor: Number(days) * ledgersOfADay, resourceFeeLimit }),
    ),
  )
}

const isSource = (text: string): text is SecretSource => text === 'env' || text === 'stdin'

const signerFrom =
  (given: Given, site: Site): TE.TaskEither<Complaint, Signer> =>
  async () => {
    const source = given.required('source')
    // A secret given in its place is not repeated.
    if (!isSource(source)) return E.left(misuse('--source takes env or stdin, never a secret itself.', name))
    const { signerOfSecret } = await import('@quittance/ledger')
    const signer = signerOfSecret(await site.secretFrom(source))
    const place = source === 'env' ? secretVariable : 'stdin'
    return signer === null ? E.left(misuse(`There is no secret (S…) in ${place}.`, name)) : E.right(signer)
  }

const done: Readonly<Record<keyof Deployed['ledgers'], string>> = {
  upload: 'uploaded',
  create: 'created',
  extend: 'extended',
}

const shown = ({ contract, wasmHash, ledgers }: Deployed): Answer => {
  const steps = (['upload', 'create', 'extend'] as const).flatMap((step) =>
    ledgers[step] === null ? [] : [`${done[step]} in ledger ${ledgers[step]}`],
  )
  return {
    status: 0,
    json: { contract_id: contract, wasm_hash: wasmHash, ledgers },
    text: [`${contract} runs ${wasmHash}`, steps.length === 0 ? 'nothing was to be done' : steps.join(', ')].join('\n'),
  }
}
