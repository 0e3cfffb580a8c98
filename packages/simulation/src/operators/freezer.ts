import { right } from '@quittance/billing/testing/outcomes'
import {
  asText,
  type Closing,
  type FreezeDecision,
  type FreezeScope,
  Freezes,
  freezeScopeOf,
  isSameTarget,
  Subscription,
} from '@quittance/domain'
import { readEnvelope } from '@quittance/ledger'
import type { Player } from '../player.ts'
import type { Requests } from '../requests.ts'
import type { Work } from '../scheduler.ts'
import type { Stage } from '../stage.ts'

const scopes: ReadonlyArray<FreezeScope> = ['sales', 'charges', 'payouts', 'payouts', 'everything']
const { decodeEvent: decodeFreeze } = Freezes.events

type Decision = Pick<FreezeDecision, 'scope' | 'merchantId'>
/** A freeze, and how many effects were performed when it began: work that begins later knows of it. */
type InForce = Decision & { readonly since: number }

/** Steps that bring a subscription closer to its end because nothing was paid. */
const towardsEnd = new Set(['BecameOverdue', 'FinalNoticeGiven'])

/**
 * An operator who freezes sales, charges and payouts of one merchant or of all, suspends a merchant, ends all that at any time,
 * and closes the merchant once. He sees what processes do meanwhile. Work that began before a freeze may finish its step.
 */
export const freezer = (stage: Stage, { put }: Requests): Player => {
  const { random, fixture, network, scheduler, operate, faultFree, note, witness } = stage
  const { merchantId } = fixture
  let inForce: ReadonlyArray<InForce> = []
  /** Freezes that a command has answered: the file beside the log has them. */
  let answered: ReadonlyArray<Decision> = []
  let closing: (Closing & { readonly since: number }) | null = null
  const decided = new Set<string>()
  let isActive = true

  const stops = (scope: FreezeScope, of: string, work: Work | null): boolean =>
    work !== null &&
    inForce.some(
      (each) =>
        each.since <= work.at &&
        (each.scope === scope || each.scope === 'everything') &&
        (each.merchantId === undefined || each.merchantId === of),
    )
  const isClosing = (of: string, work: Work | null): boolean =>
    work !== null && closing !== null && closing.merchantId === of && closing.since <= work.at
  const decide = (event: Parameters<typeof decodeFreeze>[0]): void => {
    const { type, data } = right(decodeFreeze(event))
    const since = scheduler.performed()
    if (type === 'MerchantClosingBegun') closing = { ...data, since }
    else {
      inForce = inForce.filter((each) => !isSameTarget(each, data))
      if (type === 'Unfrozen') answered = answered.filter((each) => !isSameTarget(each, data))
      if (type === 'Frozen') inForce = [...inForce, { ...data, since }]
    }
  }
  /** What is frozen by the log and by the file beside it, after the log was put back. */
  const readAgain = (): void => {
    const rows = fixture.log.prepare(
      "SELECT type, schema_version, data FROM events WHERE stream = 'freeze-platform' ORDER BY position",
    )
    ;[inForce, closing] = [[], null]
    for (const { type, data, schema_version: schemaVersion } of rows.all())
      decide({ type: String(type), schemaVersion: Number(schemaVersion), data: JSON.parse(String(data)) })
    for (const each of answered)
      if (!inForce.some((other) => isSameTarget(each, other)))
        inForce = [...inForce, { ...each, since: scheduler.performed() }]
  }

  const sent = async (envelope: string, work: Work | null): Promise<void> => {
    const { transactionHash } = right(readEnvelope(envelope, network.gateway.networkPassphrase))
    const transaction = (await faultFree.readModels.ledgerTransactions.withId(transactionHash))?.row
    if (transaction === undefined) {
      // A payer's transaction, which the service relays.
      const isOfServer = work?.process.name.startsWith('server') === true
      if (isOfServer && fixture.neighbour === null && (stops('sales', merchantId, work) || isClosing(merchantId, work)))
        witness(`${work?.name} relays a payment while sales are frozen`)
      return
    }
    const scope = freezeScopeOf(transaction.class)
    const owners = await Promise.all(
      transaction.intents.map(async (id) => (await faultFree.readModels.intents.withId(id))?.merchantId ?? ''),
    )
    if (scope !== null && owners.some((owner) => stops(scope, owner, work)))
      witness(`${work?.process.name} sends a ${transaction.class} while ${scope} are frozen: ${transactionHash}`)
  }
  stage.watch({
    sent,
    putBack: readAgain,
    appended: async (stream, events, work) => {
      for (const event of events) {
        const { type, context } = event
        const of = context.merchantId
        const isByServer = work?.process.name.startsWith('server') === true
        // An append that is repeated after a lost reply records nothing new.
        if (stream.startsWith('freeze-') && !decided.has(event.id)) decide(event)
        decided.add(event.id)
        const isSale =
          (type === 'CheckoutCreated' && stream.startsWith('checkout-')) || (type === 'QuoteIssued' && isByServer)
        if (isSale && (stops('sales', of, work) || isClosing(of, work))) witness(`${type} while sales are frozen`)
        if (isByServer && work?.name.startsWith('request-') && isReadOnly(of, work))
          witness(`${work.name} records ${type} though the merchant may change nothing`)
        if (towardsEnd.has(type) && stops('charges', of, work)) witness(`${type} while charges are frozen`)
        // With its record goes what was decided before the freeze, and what somebody withdraws is not lost.
        const isLost = type === 'IntentGivenUp' && events.length === 1 && event.data.reason !== 'withdrawn'
        if (isLost) {
          const given = (await faultFree.readModels.intents.withId(stream.slice('intent-'.length)))?.row.details.class
          const scope = given === undefined ? null : freezeScopeOf(given)
          if (scope !== null && stops(scope, of, work)) witness(`a ${given} is given up while ${scope} are frozen`)
        }
        // A restored log records what the ledger holds.
        if (type === 'ChargeAttempted' && !stage.isPutBack()) {
          const attempted = right(Subscription.events.decodeEvent(event))
          if (stops('charges', of, work)) witness('a charge is attempted while charges are frozen')
          if (
            attempted.type === 'ChargeAttempted' &&
            isClosing(of, work) &&
            attempted.data.period.start > (closing?.at ?? 0)
          )
            witness(`a period is charged that begins after the merchant began to close: ${stream}`)
        }
      }
    },
  })
  /** Since which effect the merchant's keys change nothing, because refunds are over. */
  let closedSince = Number.POSITIVE_INFINITY
  network.beforeEachLedger(() => {
    if (closing === null || network.now() < closing.refundsUntil) closedSince = Number.POSITIVE_INFINITY
    else closedSince = Math.min(closedSince, scheduler.performed() + 1)
  })
  const isReadOnly = (of: string, work: Work): boolean =>
    inForce.some((each) => each.scope === 'everything' && each.merchantId === of && each.since <= work.at) ||
    (closing?.merchantId === of && closedSince <= work.at)

  const by = { by: asText('an operator'), reason: asText('a reason') }
  const ask = (type: 'freeze' | 'unfreeze', { scope, merchantId: of }: Decision): void =>
    operate(
      `${type} ${scope}`,
      ({ freezes }) => freezes[type]({ scope, merchantId: of ?? null, ...by }),
      () => {
        const target = of === undefined ? { scope } : { scope, merchantId: of }
        if (inForce.some((each) => isSameTarget(each, target))) answered = [...answered, target]
      },
    )
  const freeze = (): void => {
    const scope = random.oneOf(scopes)
    const isOfOne = scope === 'everything' || random.onceIn(2)
    ask('freeze', isOfOne ? { scope, merchantId: asText(merchantId) } : { scope })
  }
  const unfreeze = (): void => {
    if (inForce.length > 0) ask('unfreeze', random.oneOf(inForce))
  }
  let mayClose = random.onceIn(3)
  const close = (): void => {
    const [destination] = fixture.destinations
    if (!mayClose || destination === undefined) return
    mayClose = false
    note('the merchant closes')
    const refundDays = random.below(2)
    put('a closing', ({ closeMerchant }, context) => closeMerchant(context, { destination, refundDays, ...by }))
  }
  return {
    moves: [
      { name: 'a freeze', weight: 4, act: freeze },
      { name: 'a freeze ends', weight: 5, act: unfreeze },
      { name: 'a closing', weight: 1, act: close },
    ],
    rest: () => {
      isActive = false
    },
    attend: () => {
      if (!isActive) for (const each of inForce) ask('unfreeze', each)
      else if (random.onceIn(2)) unfreeze()
      else if (random.onceIn(3)) freeze()
    },
  }
}
