import {
  type AccountId,
  asText,
  type ContractId,
  type Environment,
  hourMs,
  Intent,
  type IntentAction,
  type IntentDetails,
  IntentId,
  secondMs,
  unixMs,
} from '@quittance/domain'
import {
  type ContractCode,
  contractMadeBy,
  creationDue,
  LEDGERS_OF_A_DAY,
  livesOf,
  readContract,
  upkeepDue,
} from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { createdId, derivedCommandId } from '../../kernel/derive.ts'
import { platform } from '../../kernel/platform.ts'
import { step } from '../../kernel/step.ts'
import { stepContext } from '../../kernel/step-context.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import type { Network, Services } from '../../services/services.ts'
import type { Outgoing } from '../outgoing/outgoing.ts'
import { makeOwnKeys, operatorAccount } from '../outgoing/signing-accounts.ts'
import type { ContractLife, ContractRent } from './contract-rent.ts'

type Keeping = Omit<Outgoing, 'services'> & { readonly services: Services; readonly contractRent: ContractRent }

/** How soon lives are read again while a contract needs something. */
const whileDueMs = 60 * secondMs

/**
 * A contract that has fewer days left is alarming: its rent should have been paid a week ago. One that was just restored has
 * about seven.
 */
const alarmingDays = 6

/**
 * Pays the rent of the contracts that living mandates name, and of the one for new mandates, which it makes where the ledger lacks
 * it. Reads their lives once an hour, and on a ledger that was begun anew; records what they need, and raises the alarm for those
 * that end although.
 */
export const keepContracts = async (
  keeping: Keeping,
  environment: Environment,
): Promise<E.Either<ProcessFailure, void>> => {
  const { contractRent, ingested } = keeping
  const { readAt, lives } = contractRent
  const isAnyDue = [...lives.values()].some((life) => workDue(life) !== null)
  const isAnew = readAt === null || ingested.sequence < readAt.sequence
  if (isAnew || ingested.closedAt - readAt.closedAt >= (isAnyDue ? whileDueMs : hourMs)) {
    await makeOwnKeys(keeping.services, keeping.network, environment)
    const read = await readLives(keeping, environment)
    if (E.isLeft(read)) return read
    contractRent.lives = read.right
    contractRent.readAt = ingested
    for (const [contract, life] of read.right) {
      const recorded = await recordUpkeep(keeping, environment, contract, life)
      if (E.isLeft(recorded)) return recorded
    }
  }
  await raiseTroubles(keeping, environment)
  return E.right(undefined)
}

type Work = Extract<IntentAction, { _tag: 'keep_contract' }>['work']

const workDue = ({ entries, creation }: ContractLife): Work | null => creation ?? upkeepDue(entries)

/**
 * The contract that the service's operator account makes of the code of this version, if there is an account, and a code. Its id
 * follows from both.
 */
export const ownContract = async (
  services: Pick<Services, 'vault'>,
  network: Pick<Network, 'provision' | 'mandateCode' | 'gateway'>,
  environment: Environment,
): Promise<{ readonly contract: ContractId; readonly operator: AccountId; readonly code: ContractCode } | null> => {
  const operator = (await operatorAccount(services, environment))?.account ?? null
  const { mandateCode: code = null, gateway } = network
  if (operator === null || code === null) return null
  return { contract: contractMadeBy(operator, code, gateway.networkPassphrase), operator, code }
}

const readLives = async (
  { services, network }: Keeping,
  environment: Environment,
): Promise<E.Either<ProcessFailure, ReadonlyMap<ContractId, ContractLife>>> => {
  const lives = new Map<ContractId, ContractLife>()
  for (const contract of await livingContracts(services, environment)) {
    const view = await readContract(network.gateway)(contract)()
    if (E.isLeft(view)) return view
    const found = view.right
    const entries = found === null ? [] : livesOf(contract, found)
    const own =
      found === null && contract === network.mandateContract ? await ownContract(services, network, environment) : null
    const creation = own?.contract === contract ? await creationDue(network.gateway, own.code.sha256) : E.right(null)
    if (E.isLeft(creation)) return creation
    lives.set(contract, { asOf: found?.asOf ?? 0, entries, creation: creation.right })
  }
  return E.right(lives)
}

/** The contract of new mandates, and those that living ones name. */
const livingContracts = async (
  { networks, readModels }: Pick<Services, 'networks' | 'readModels'>,
  environment: Environment,
): Promise<ReadonlySet<ContractId>> => {
  const configured = networks[environment]?.mandateContract ?? null
  const named = (await readModels.mandates.places(environment)).map(({ contract }) => contract)
  return new Set([...(configured === null ? [] : [configured]), ...named])
}

/** Ids of these intents name no time, because every process has to derive the same one: they are due at once. */
const earliest = unixMs(2)

/** Records the work that a contract needs, unless it is under way. Two processes record the same intent. */
const recordUpkeep = async (
  { services, ingested }: Keeping,
  environment: Environment,
  contract: ContractId,
  life: ContractLife,
): Promise<E.Either<ProcessFailure, void>> => {
  const work = workDue(life)
  const operator = await operatorAccount(services, environment)
  if (work === null || operator === null) return E.right(undefined)
  const earlier = (await services.readModels.intents.withKey(contract)).filter(
    (found) => found.environment === environment,
  )
  if (earlier.some(({ row: { status } }) => status === 'waiting' || status === 'attached')) return E.right(undefined)
  const cause = `${environment}/${contract} upkeep ${earlier.length}`
  const id = createdId(IntentId, earliest, derivedCommandId(environment, cause))
  const context = stepContext({ merchantId: platform, environment }, cause, 'record intent', ingested.closedAt)
  const details = detailsOf(operator, contract, work)
  const recorded = await step(services.store)(
    Intent,
    id,
    context,
    Intent.decider.decide({ type: 'RecordIntent', ...details }),
  )
  return E.map(() => undefined)(recorded)
}

const detailsOf = (
  { account }: { readonly account: IntentDetails['source'] },
  contractId: ContractId,
  work: Work,
): IntentDetails => ({
  class: 'upkeep',
  owner: asText(contractId),
  source: account,
  action: { _tag: 'keep_contract', contractId, work },
  memo: null,
})

/** Repeats with every ledger what is wrong, until the next reading. */
const raiseTroubles = async (
  { services, network, contractRent, ingested, raise }: Keeping,
  environment: Environment,
): Promise<void> => {
  const isPayable = (await operatorAccount(services, environment)) !== null
  const own = await ownContract(services, network, environment)
  const instead = own === null ? '' : `; of this version's code the operator account makes ${own.contract}`
  for (const [contractId, { asOf, entries, creation }] of contractRent.lives) {
    const refuse = (cause: string) => raise({ _tag: 'CannotKeepContract', contractId, cause })
    if (entries.length === 0 && creation === null) refuse(`it is not on the ledger${instead}`)
    else if (!isPayable && upkeepDue(entries) !== null) refuse('there is no operator account')
    for (const { entry, ledgersLeft } of entries) {
      const daysLeft = Math.max(0, Math.floor((ledgersLeft + asOf - ingested.sequence) / LEDGERS_OF_A_DAY))
      if (daysLeft < alarmingDays) raise({ _tag: 'ContractEnding', contractId, entry, daysLeft })
    }
  }
}
