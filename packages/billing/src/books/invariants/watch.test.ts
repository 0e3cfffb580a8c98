import { randomUUID } from 'node:crypto'
import {
  Intent,
  LedgerTransaction,
  minuteMs,
  Payment,
  type RecordedEvent,
  Refund,
  Subscription,
  unixMs,
} from '@quittance/domain'
import { hashOf } from '@quittance/domain/testing'
import { noEvents, rowsOf } from '@quittance/event-store'
import { refunds as model } from '@quittance/projections'
import { ownersIn } from '../../services/owners.ts'
import type { Services } from '../../services/services.ts'
import type { Violation } from '../../stores/invariant.ts'
import { runBeside } from '../../testing/kept.ts'
import { done, present } from '../../testing/outcomes.ts'
import { refundsIn } from '../../testing/refunds.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { subscribersOf } from '../../testing/subscribers.ts'
import { units } from '../../testing/wallets.ts'
import { explainLedger } from '../reconciliation/explain-ledger.ts'
import { watchInvariants } from './watch.ts'

let front: StoreFront
let refunds: ReturnType<typeof refundsIn>
let reported: Array<Violation>
beforeEach(async () => {
  front = await openStoreFront()
  refunds = refundsIn(front)
  reported = []
})
afterEach(() => front.close())

/** Looks at the whole log, from its beginning, as of some minutes after the last ledger. */
const watch = async (services: Services = front.services, minutesLater = 0) => {
  const { violations, store } = services
  let end = 0n
  for await (const { position } of store.readAll(0n)) end = position
  await violations.advance('testnet', 0n)
  const ingestedTo = unixMs(front.network.now() + minutesLater * minuteMs)
  while ((await violations.checkedTo('testnet')) < end)
    await done(watchInvariants(services, 'testnet', ingestedTo, (found) => reported.push(found)))
  return (await violations.present('testnet')).map(({ invariant, subject }) => [invariant, subject])
}

const eventsOf = async (stream: string) => (await done(front.platform.log.readStream(stream))).events
/** Plants what nobody could have written: some of a stream's events in another stream as well. */
const plant = async (
  from: string,
  to: string,
  isTaken: (event: RecordedEvent) => boolean = () => true,
  saying: (event: RecordedEvent) => RecordedEvent['data'] = ({ data }) => data,
) => {
  const events = (await eventsOf(from)).filter(isTaken).map((event) => {
    const { metadata, type, schemaVersion } = event
    const { previousHash: _, hash: __, ...context } = metadata
    return { id: randomUUID(), type, schemaVersion, data: saying(event), context }
  })
  await done(front.platform.log.append(to, noEvents, events))
}
const refunded = async () => {
  const payment = await refunds.paid()
  const refund = await refunds.ended(await done(refunds.request(payment)))
  const [intent] = await (await front.platform.shown()).intents.all()
  return { payment, refund, intent: present(intent) }
}

describe('the invariants', () => {
  it('finds no violation after sales, refunds and withdrawals that the worker checked', async () => {
    await refunded()
    front.wallets.payFrom(await front.seedOf(front.merchantId), {
      to: front.other.account,
      asset: front.network.xlm.assetId,
      parts: [units(1)],
      memo: null,
    })
    await front.step()
    await front.step()
    expect(await front.services.violations.checkedTo('testnet')).toBeGreaterThan(0n)
    expect(await watch(front.services, 60)).toEqual([])
    expect(reported).toEqual([])
  })

  it('finds two confirmed payments of one checkout, reports them once, and keeps the violation', async () => {
    const { id } = await front.sell()
    await front.pay(id, [units(10)])
    const [payment] = await front.payments(id)
    const other = `${Payment.category}-pay_0000000000000000000001`
    await plant(`${Payment.category}-${present(payment).id}`, other)
    const found = await watch()
    expect(found).toContainEqual(['one_confirmed_payment', other])
    const times = reported.length
    expect(await watch()).toEqual(found)
    expect(reported).toHaveLength(times)
  })

  it('accepts a renewal, and finds a second one for the same period and charges above the cap', async () => {
    const people = await subscribersOf(front)
    const id = await people.subscribe(front.payer)
    people.sleepADay()
    const paymentId = await people.start(id)
    for (let ledgers = 0; ledgers < 4; ledgers++) await people.pass()
    expect(await watch()).toEqual([])
    const other = `${Payment.category}-pay_0000000000000000000001`
    await plant(`${Payment.category}-${paymentId}`, other)
    expect(await watch()).toContainEqual(['one_confirmed_renewal', other])

    const dear = `${Subscription.category}-sub_0000000000000000000009`
    await plant(`${Subscription.category}-${id}`, dear, undefined, ({ type, data }) =>
      type === 'ChargeAttempted' ? { ...data, amount: '110000001' } : data,
    )
    expect(await watch()).toContainEqual(['charged_within_cap', dear])
  })

  it('finds a fee of the operator that was never agreed', async () => {
    const { id: payment } = await refunds.paid()
    const planted = 'pay_0000000000000000000001'
    const fee = { platformFee: { assetId: 'native', amount: '1' } }
    const isPayment = ({ type }: RecordedEvent) => type.startsWith('Payment')
    await plant(`payment-${payment}`, `payment-${planted}`, isPayment, ({ type, data }) =>
      type === 'PaymentConfirmed' ? { ...data, ...fee } : data,
    )
    expect(await watch()).toContainEqual(['platform_fee_agreed', `payment-${planted}`])
    expect(await watch()).not.toContainEqual(['platform_fee_agreed', `payment-${payment}`])
  })

  it('finds a second settled refund of a payment', async () => {
    const { refund } = await refunded()
    const other = `${Refund.category}-rf_0000000000000000000001`
    await plant(`${Refund.category}-${refund.id}`, other)
    expect(await watch()).toContainEqual(['refunded_once', other])
  })

  it('finds an intent in two transactions that a ledger may still include', async () => {
    const { intent } = await refunded()
    const other = `${LedgerTransaction.category}-${hashOf(7)}`
    const isOpening = ({ type }: RecordedEvent) => type === 'TransactionPrepared' || type === 'TransactionReleased'
    await plant(`${LedgerTransaction.category}-${intent.row.attachedTo}`, other, isOpening)
    expect(await watch()).toEqual([['one_live_transaction', other]])
  })

  it('finds unreported ends and overdue items after a quarter of an hour', async () => {
    const { intent } = await refunded()
    await plant(
      `${Intent.category}-${intent.id}`,
      `${Intent.category}-int_0000000000000000000001`,
      ({ type }) => type !== 'IntentReported',
    )
    expect(await watch(front.services, 14)).toEqual([])
    expect(await watch(front.services, 16)).toEqual([['due_items_move', 'due items']])
  })

  it('finds a changed event', async () => {
    const { refund } = await refunded()
    const stream = `${Refund.category}-${refund.id}`
    const { store } = front.services
    const altered = {
      ...store,
      readAll: async function* (...request: Parameters<typeof store.readAll>) {
        for await (const event of store.readAll(...request))
          yield event.stream === stream && event.revision === 0n
            ? { ...event, data: { ...event.data, reason: 'another' } }
            : event
      },
    }
    expect(await watch({ ...front.services, store: altered })).toContainEqual(['hash_chains', stream])
    expect(await watch()).toEqual([])
  })

  it('finds a row that differs from the fold of its events', async () => {
    const { refund } = await refunded()
    await runBeside(
      front.folder.path,
      'rows',
      rowsOf(
        `UPDATE ${model.name}_${model.version} SET body = replace(body, 'damaged', 'another') WHERE id = '${refund.id}'`,
      ),
    )
    expect(await watch()).toEqual([['rows_folded', `${Refund.category}-${refund.id}`]])
  })

  it('finds a change of a balance that no event in the log explains', async () => {
    const { readModels } = front.services
    const lost = {
      ...front.services,
      readModels: { ...readModels, unexplained: { ...readModels.unexplained, withId: async () => null } },
    }
    const from = front.services.cursors.of('testnet')
    await front.step()
    const before = present(await done(from.load())).sequence
    front.wallets.payFrom(await front.seedOf(front.merchantId), {
      to: front.other.account,
      asset: front.network.xlm.assetId,
      parts: [units(1)],
      memo: null,
    })
    const { ledgers } = await done(front.network.gateway.readLedgers(before, 100, null))
    const movements = [...ledgers]
      .filter(({ sequence }) => sequence > before)
      .flatMap((each) => each.movementsOf(new Set([front.account])))
    const ownerOf = ownersIn(front.services, 'testnet')
    const explain = (services: Services) =>
      done(
        explainLedger(services, 'testnet', ownerOf, (found) => reported.push(found), {
          movements,
          forgotten: [],
        }),
      )
    await explain(lost)
    expect(reported).toMatchObject([{ invariant: 'changes_named', subject: expect.stringContaining(front.account) }])
    await explain(front.services)
    expect(await front.services.violations.present('testnet')).toEqual([])
  })
})
