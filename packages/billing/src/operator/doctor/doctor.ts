import type { Environment } from '@quittance/domain'
import { type IssuerDomain, issuerDomainOf, type StellarTomlReader } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { makeOwnKeys, operatorAccount } from '../../features/outgoing/signing-accounts.ts'
import type { ExecuteFailure } from '../../kernel/execute.ts'
import type { Network } from '../../services/services.ts'
import { examineMerchants } from './examine-merchants.ts'
import {
  examineChannels,
  examineCollecting,
  examineFormerContracts,
  examineMerchantOperators,
  examineNode,
  examineRates,
} from './examine-network.ts'
import { examineSigners } from './examine-signers.ts'
import { type Finding, type FindingInWords, findingInWords } from './findings.ts'
import type { DoctorServices } from './services.ts'

/** The code that mandate contracts must run, and the reader of issuers' domains. */
type Examination = {
  /** SHA-256 of the mandate contract's code, in hex. */
  readonly wasmHash: string
  /** Null: issuers' domains are not read. */
  readonly readToml: StellarTomlReader['read'] | null
}

/** Finds what prevents sales, on each configured network and for each merchant. Changes nothing. */
export interface Doctor {
  readonly examine: (examination: Examination) => TaskEither<ExecuteFailure, ReadonlyArray<FindingInWords>>
}

const environments = ['testnet', 'mainnet'] as const

export const doctor = (services: DoctorServices): Doctor => ({
  examine: (examination) => async () => {
    const found = await Promise.all(
      environments.map((environment) => {
        const network = services.networks[environment]
        return network === null ? E.right([]) : examineNetwork(services, network, environment, examination)
      }),
    )
    const findings: Array<FindingInWords> = []
    for (const each of found) {
      if (E.isLeft(each)) return each
      findings.push(...each.right.map(findingInWords))
    }
    return E.right(findings)
  },
})

const examineNetwork = async (
  services: DoctorServices,
  network: Network,
  environment: Environment,
  { wasmHash, readToml }: Examination,
): Promise<E.Either<ExecuteFailure, ReadonlyArray<Finding>>> => {
  const ofNode = await examineNode(services, network, environment)
  if (ofNode !== null) return E.right([ofNode])
  await makeOwnKeys(services, network, environment)
  const rows = (await services.readModels.settlementSetUps.all()).filter(({ row }) => row.environment === environment)
  const defaults = new Set(rows.flatMap(({ row: { assets } }) => assets.slice(0, 1)))
  const frozen = await services.freezing.now()
  if (E.isLeft(frozen)) return frozen
  const freezes = frozen.right.inForce.map((freeze): Finding => ({ environment, code: 'frozen', freeze }))
  const findings = [
    ...freezes,
    ...(await examineRates(services, network, environment, defaults)),
    ...(await examineFormerContracts(services, environment)),
  ]
  const examinations = [
    () => examineCollecting(services, network, environment, wasmHash),
    async () =>
      examineMerchantOperators(
        services,
        network,
        environment,
        (await operatorAccount(services, environment))?.account ?? null,
      ),
    () => examineChannels(services, network, environment),
    () => examineMerchants(services, network, environment),
    () => examineSigners(services, network, environment),
  ]
  for (const examine of examinations) {
    const found = await examine()
    if (E.isLeft(found)) {
      const { left } = found
      if (left._tag === 'StoreUnavailable') return E.left(left)
      return E.right([...findings, { environment, code: 'node_unreachable', cause: left.cause }])
    }
    findings.push(...found.right)
  }
  // A sandbox issues its assets itself.
  if (readToml !== null && network.provision === null)
    findings.push(...(await examineIssuers(network, environment, readToml)))
  return E.right(findings)
}

const examineIssuers = async (
  { gateway, assets }: Network,
  environment: Environment,
  readToml: StellarTomlReader['read'],
): Promise<ReadonlyArray<Finding>> => {
  const said = await Promise.all(
    assets.map(async (asset) => ({ asset, said: await issuerDomainOf(gateway, readToml)(asset.assetId)() })),
  )
  return said.flatMap(
    ({ asset, said: answer }): ReadonlyArray<Finding> =>
      answer === null || isVouched(answer) ? [] : [{ environment, code: 'asset_not_listed', asset, said: answer }],
  )
}

const isVouched = (said: IssuerDomain): said is Extract<IssuerDomain, { _tag: 'Listed' }> => said._tag === 'Listed'
