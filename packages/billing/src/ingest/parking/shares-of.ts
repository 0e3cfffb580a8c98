import { AccountId, type Environment, type TransactionHash } from '@quittance/domain'
import type { IngestedLedger, MandateFact, OwnTransaction } from '@quittance/ledger'
import type { Scope } from '@quittance/projections'
import { ourOutcomes } from '../../features/outgoing/record-outcomes.ts'
import { filterInTurn } from '../../kernel/checks-in-turn.ts'
import { platform } from '../../kernel/platform.ts'
import type { Owners } from '../../services/owners.ts'
import type { Services } from '../../services/services.ts'
import type { Share } from '../../stores/parked/share.ts'
import { merchantOf, ownHashOf } from '../recovery/forgotten.ts'

const ofTransaction = 'skipped '

/** The id of a transaction's facts, where its ledger is not ingested. */
export const skippedShareId = (hash: TransactionHash): string => `${ofTransaction}${hash}`

/** Whether a share may hold only a part of what its ledger brought: then nothing in it is summed. */
export const isOfOneTransaction = ({ id }: Pick<Share, 'id'>): boolean => id.startsWith(ofTransaction)

/** The facts of a ledger to place. `id` names them among all shares of a queue. */
type Divided = Pick<IngestedLedger, 'sequence' | 'incomingPayments' | 'mandates' | 'movements' | 'outcomesOf'> & {
  readonly id: string
  /** Transactions of ours that the log does not know. */
  readonly forgotten: ReadonlyArray<OwnTransaction>
}

/**
 * Divides a ledger by merchant: incoming payments and movements by account, mandates by payee, outcomes by transaction.
 * An approval replaces the former one for all mandates of its customer: it goes to every merchant with a subscription
 * of that customer, or a parked share that may create one. Facts of an outcome's transaction go with it.
 */
export const sharesOf = async (
  services: Pick<Services, 'readModels' | 'parked' | 'left'>,
  environment: Environment,
  ownerOf: Owners,
  { id, sequence, incomingPayments, mandates, movements, outcomesOf, forgotten }: Divided,
): Promise<ReadonlyArray<Share>> => {
  const shares = new Map<string, Growing>()
  const shareOf = (merchantId: string, queue = merchantId): Growing => {
    const known = shares.get(queue)
    if (known !== undefined) return known
    const empty = {
      merchantId,
      environment,
      queue,
      id,
      sequence,
      credits: [],
      mandates: [],
      movements: [],
      outcomes: [],
      forgotten: [],
    }
    shares.set(queue, empty)
    return empty
  }
  const ownersOf = ownersOfMandates(services, environment, ownerOf, mandates)
  for (const fact of mandates) for (const merchantId of await ownersOf(fact)) shareOf(merchantId).mandates.push(fact)
  for (const payment of incomingPayments) {
    const owner = await ownerOf(payment.destination)
    if (owner !== null) shareOf(owner.merchantId).credits.push(payment)
  }
  for (const { ours, outcome } of await ourOutcomes(services, environment, outcomesOf)) {
    const share = shareOf(ours.merchantId, ours.merchantId === platform ? ours.hash : ours.merchantId)
    share.outcomes.push(outcome)
    share.mandates.push(...mandates.filter((fact) => isAnswerTo(fact, outcome.transactionHash)))
  }
  for (const own of forgotten) {
    const merchantId = await merchantOf(ownerOf, own)
    const hash = ownHashOf(own)
    const share = shareOf(merchantId, merchantId === platform ? hash : merchantId)
    share.forgotten.push(own)
    share.mandates.push(...mandates.filter((fact) => isAnswerTo(fact, own.outcome.transactionHash)))
  }
  for (const movement of movements) {
    const owner = await ownerOf(movement.account)
    if (owner !== null) shareOf(owner.merchantId).movements.push(movement)
  }
  return filterInTurn([...shares.values()], async ({ merchantId }) => !(await services.left.has(merchantId)))
}

type Growing = {
  -readonly [K in keyof Share]: Share[K] extends ReadonlyArray<infer A> ? Array<A> : Share[K]
}

const isAnswerTo = (fact: MandateFact, transactionHash: string): boolean =>
  fact._tag === 'ChargesAnswered' && fact.transactionHash === transactionHash

const ownersOfMandates = (
  { readModels, parked }: Pick<Services, 'readModels' | 'parked'>,
  environment: Environment,
  ownerOf: Owners,
  mandates: ReadonlyArray<MandateFact>,
) => {
  const payee = async (fact: MandateFact): Promise<ReadonlyArray<string>> => {
    const owner = 'payee' in fact && AccountId.is(fact.payee) ? await ownerOf(fact.payee) : null
    return owner === null ? [] : [owner.merchantId]
  }
  const isHere = (each: Scope) => each.environment === environment
  return async (fact: MandateFact): Promise<ReadonlySet<string>> => {
    if (fact._tag !== 'AllowanceRenewed' && fact._tag !== 'MandateCreated') return new Set(await payee(fact))
    const { customer } = fact
    const subscribed = (await readModels.subscriptionNames.withKey(customer)).filter(isHere)
    const created = mandates.filter((each) => each._tag === 'MandateCreated' && each.customer === customer)
    const waiting = (await parked.queues(environment)).filter((queue) => queue.merchantId === queue.id)
    const others = [...subscribed, ...waiting].map(({ merchantId }) => merchantId)
    return new Set([...(await payee(fact)), ...(await Promise.all(created.map(payee))).flat(), ...others])
  }
}
