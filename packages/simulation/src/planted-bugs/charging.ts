import type { Network, Services } from '@quittance/billing'
import { operatorAccount, signerOf } from '@quittance/billing/testing/internals'
import {
  type AccountId,
  type ChargeAction,
  type FailureCause,
  hourMs,
  LedgerSequence,
  Subscription,
  type SubscriptionEvent,
  stroops,
  unixMs,
} from '@quittance/domain'
import { decoded, hashOf } from '@quittance/domain/testing'
import type { EventStore } from '@quittance/event-store'
import { type ContractCall, cancelCall, chargeManyCall, prepareCall, signEnvelope } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type { PlantedBug } from '../stage.ts'
import { afterUnknown, intentsOf } from './sending.ts'

type NewEvent = Parameters<EventStore['append']>[2][number]

type Rewritten = ReadonlyArray<NewEvent>

/** Replaces decided events of subscriptions by others. */
const rewriting =
  (rewritten: (event: NewEvent, services: Services) => Rewritten | Promise<Rewritten>): PlantedBug =>
  (services) => {
    const { store } = services
    const append: EventStore['append'] = (stream, head, events, alongside) =>
      stream.startsWith(`${Subscription.category}-`)
        ? async () => {
            const others: Array<NewEvent> = []
            for (const event of events) others.push(...(await rewritten(event, services)))
            return store.append(stream, head, others, alongside)()
          }
        : store.append(stream, head, events, alongside)
    return { ...services, store: { ...store, append } }
  }

const decidedIn = (event: NewEvent): SubscriptionEvent => {
  const read = Subscription.events.decodeEvent(event)
  if (E.isLeft(read)) throw new Error(`${event.type} cannot be decoded`)
  return read.right
}

/** Marks a period as paid as soon as its charge is attempted. */
const advanceFirst = rewriting((event, { freshId, clock }) => {
  const { type, data } = decidedIn(event)
  if (type !== 'ChargeAttempted') return [event]
  const { n, k, paymentId, amount, period } = data
  const place = { transactionHash: hashOf(1), ledger: decoded(LedgerSequence, 1), closedAt: clock.now('testnet') }
  const anchor = { at: period.start, n }
  const paid = { n, k, paymentId, amount, period, anchor, ...place }
  return [
    event,
    { ...event, id: freshId(), ...Subscription.events.encodeEvent({ type: 'ChargeConfirmed', data: paid }) },
  ]
})

/** Counts each period from the previous one, so that a short month shifts all later periods. */
const chainPeriods = rewriting((event) => {
  const { type, data } = decidedIn(event)
  if (type !== 'ChargeConfirmed') return [event]
  const anchor = { at: data.period.start, n: data.n }
  return [{ ...event, ...Subscription.events.encodeEvent({ type, data: { ...data, anchor } }) }]
})

/** Charges a subscription's first mandate even after its customer has signed another. */
const chargeTheFirst = rewriting(async (event, { readModels }) => {
  const { type, data } = decidedIn(event)
  if (type !== 'ChargeAttempted') return [event]
  const states = (await readModels.subscriptions.all()).map(({ row }) => row)
  const state = states.find(({ authorization }) => authorization.mandate.mandateId === data.mandateId)
  if (state === undefined) return [event]
  const { mandateId } = state.details.mandate
  return [{ ...event, ...Subscription.events.encodeEvent({ type, data: { ...data, mandateId } }) }]
})

/** Takes refusals of charges, or those for one cause, for technical failures, which are retried and end no access. */
const excusing = (cause: FailureCause | null) =>
  rewriting((event) => {
    const { type, data } = decidedIn(event)
    if (type !== 'ChargeFailed' || (cause !== null && cause !== data.cause)) return [event]
    const excused = { outcome: 'technical' as const, cause: 'contract_refused' as const, counts: false }
    const noEnd = { finalNoticeAt: null, overdueAt: null, graceUntil: null, retryAt: unixMs(data.failedAt + hourMs) }
    return [{ ...event, ...Subscription.events.encodeEvent({ type, data: { ...data, ...excused, ...noEnd } }) }]
  })

/** Builds the same charges again with another account's sequence number, and sends them too. */
const chargeAgain = afterUnknown(async (services, gateway, hash) => {
  const intents = await intentsOf(services, hash)
  const actions = intents.map(({ row }) => row.details.action).filter((action) => action._tag === 'charge')
  await send(services, gateway, actions)
})

const send = async (
  services: Services,
  gateway: Network['gateway'],
  actions: ReadonlyArray<ChargeAction>,
): Promise<void> => {
  const [first] = actions
  const charges = actions.map(({ mandateId: mandate, periodStart, amount, reference }) => ({
    ...{ mandate, periodStart, amount, reference },
  }))
  if (first !== undefined)
    await callAsOperator(services, gateway, (account) => chargeManyCall(first.contractId, account, charges))
}

/** Sends a call of the account that charges, without a record. */
const callAsOperator = async (
  services: Services,
  gateway: Network['gateway'],
  callBy: (operator: AccountId) => ContractCall,
): Promise<void> => {
  const { testnet } = services.networks
  const operator = testnet === null ? null : await operatorAccount(services, 'testnet')
  const signer = operator === null ? null : await signerOf(services, 'testnet', operator, null)
  if (operator === null || signer === null) return
  const { account } = operator
  const [head, view] = [await gateway.latestLedger()(), await gateway.accountView(account, [])()]
  if (E.isLeft(head) || E.isLeft(view) || view.right === null) return
  const order = {
    sourceAccount: account,
    nextAccountSequence: view.right.accountSequence + 1n,
    ledgerClosedAt: head.right.closedAt,
    lifetimeMs: 60_000,
    notAfter: null,
    fee: stroops(10_000n),
    networkPassphrase: gateway.networkPassphrase,
  }
  const prepared = await prepareCall(gateway)(order, callBy(account))()
  if (E.isLeft(prepared)) return
  const signed = await signEnvelope(prepared.right.envelopeXdr, [signer], gateway.networkPassphrase)()
  if (E.isRight(signed)) await gateway.submit(signed.right)()
}

/** Ends a mandate as soon as its customer is asked for another one. */
const endAtRequest: PlantedBug = (services) => {
  const { store, networks, readModels } = services
  const append: EventStore['append'] = (stream, head, events, alongside) => async () => {
    const appended = await store.append(stream, head, events, alongside)()
    const row = (await readModels.subscriptions.withId(stream.slice('subscription-'.length)))?.row
    const isAsked = events.some(({ type, data }) => type === 'AuthorizationRequested' && data.why === 'migration')
    if (E.isRight(appended) && isAsked && row !== undefined && networks.testnet !== null) {
      const { contract, mandateId } = row.authorization.mandate
      await callAsOperator(services, networks.testnet.gateway, (by) => cancelCall(contract, by, mandateId))
    }
    return appended
  }
  return { ...services, store: { ...store, append } }
}

/** Bugs in charging subscriptions. */
export const chargingBugs: Readonly<Record<string, PlantedBug>> = {
  'a period advances before its charge is confirmed': advanceFirst,
  'each period is counted from the previous one': chainPeriods,
  'a replaced mandate is charged': chargeTheFirst,
  'a mandate ends before there is another one': endAtRequest,
  'a refusal that the customer has caused is excused': excusing(null),
  'an allowance that is too low is excused': excusing('allowance_too_low'),
  'a trustline that is missing is excused': excusing('no_trustline'),
  'charges of unknown outcome are sent again by another channel': chargeAgain,
}
