import { asText, LedgerSequence, minuteMs, type PaymentId, type SubscriptionId, stroops } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import type { AccountView, LedgerGateway, Simulation } from '@quittance/ledger'
import type { Faults } from '@quittance/sandbox'
import { xdr } from '@stellar/stellar-sdk'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { TestNetwork } from '../../testing/network.ts'
import { done, present, right } from '../../testing/outcomes.ts'
import { openPlatform, type TestPlatform } from '../../testing/platform.ts'
import { command } from '../../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { type Subscribers, subscribersOf } from '../../testing/subscribers.ts'
import { withoutChannels } from '../../testing/till.ts'
import { units } from '../../testing/wallets.ts'

/** With fewer instructions than the call needs. */
const starved = (found: Simulation): Simulation => {
  if (found._tag === 'SimulationFailed') return found
  const data = xdr.SorobanTransactionData.fromXdr(found.transactionData, 'base64')
  const resources = new xdr.SorobanResources({ ...data.resources, instructions: 1 })
  return { ...found, transactionData: new xdr.SorobanTransactionData({ ...data, resources }).toXdr('base64') }
}
const asOf = decoded(LedgerSequence, 1)
/** With enough for a bid, and not for what a call needs beside it. */
const impoverished = (view: AccountView | null): AccountView | null =>
  view === null ? null : { ...view, nativeSpendable: stroops(1_000n) }

describe('renewals despite faults', () => {
  let front: StoreFront
  let people: Subscribers
  let id: SubscriptionId
  let paymentId: PaymentId
  let opened: Array<TestPlatform>
  beforeEach(async () => {
    front = await openStoreFront()
    people = await subscribersOf(front)
    opened = []
    id = await people.subscribe(front.payer)
    people.sleepADay()
    paymentId = await people.start(id)
  })
  afterEach(async () => {
    for (const each of opened) await each.close()
    await front.close()
  })

  const fault = (faults: Faults): void => void right(front.network.sandbox.faults.set(faults))
  const passes = async (count: number, ms?: number): Promise<void> => {
    for (let ledgers = 0; ledgers < count; ledgers++) await people.pass(ms)
  }
  const held = async (): Promise<bigint> => {
    const asset = front.network.usdc.assetId
    const [holding] = await done(front.network.gateway.balances([{ account: front.account, assetId: asset }]))
    return present(holding?.held)
  }
  const attempts = async (): Promise<number> => {
    const [intent] = await (await front.platform.shown()).intents.withKey(paymentId)
    const events = await people.eventsOf(`intent-${present(intent).id}`)
    return events.filter(({ type }) => type === 'IntentAttached').length
  }
  const chargedOnce = async (): Promise<void> => {
    expect(await people.payment(paymentId)).toMatchObject({ status: 'confirmed', confirmation: { amount: units(10) } })
    expect((await people.now(id)).covered).toMatchObject({ kind: 'paid', n: 1 })
    expect(await held()).toBe(units(10))
    expect([await front.exceptions(), await people.isReconciled()]).toEqual([[], true])
  }
  /** The same store with a network that is seen otherwise. */
  const opensOn = async (seen: ReturnType<TestNetwork['seen']>): Promise<TestPlatform> => {
    const platform = await openPlatform({ ...front.network, seen: () => seen }, front.folder.path)
    opened.push(platform)
    return platform
  }
  const gatewayWith = (changed: Partial<LedgerGateway>) => {
    const network = front.network.seen()
    return { ...network, gateway: { ...network.gateway, ...changed } }
  }

  it.each<readonly [string, Faults]>([
    ['a reply that is lost', { lose_reply: { times: 1 } }],
    ['a transaction that a node forgets', { drop: { times: 1 } }],
    ['a ledger that takes it late', { include_late: { ledgers: 3, times: 1 } }],
    ['a node that is late', { lag: { ledgers: 2, times: 6 } }],
    ['an archived mandate', { archived_entry: { for_ledgers: 1 } }],
  ])('charges a renewal once, by one transaction, despite %s', async (_, faults) => {
    const { mandate } = (await people.now(id)).authorization
    fault('archived_entry' in faults ? { archived_entry: { for_ledgers: 1, mandate: mandate.mandateId } } : faults)
    await passes(1)
    await passes(8)
    await chargedOnce()
    expect(await attempts()).toBe(1)
    expect(front.worker.troubles()).toEqual([])
  })

  it('charges a renewal once despite higher fees, by a fee bump that also pays the resources of the call', async () => {
    await front.step()
    fault({ fee_surge: { base_fee: 1_000, for_ledgers: 8 } })
    await passes(10)
    await chargedOnce()
    expect(await attempts()).toBe(1)
    const { attachedTo } = await people.intentOf(paymentId)
    const events = await people.eventsOf(`stellartx-${attachedTo}`)
    expect(events.map(({ type }) => type)).toContain('FeeBumped')
  })

  it('charges a renewal by another call once a call that never reached the network is proven dead', async () => {
    front.network.faults.losesSubmissions = true
    await front.step()
    await passes(2, minuteMs)
    front.network.faults.losesSubmissions = false
    await passes(5, 2_000)
    await chargedOnce()
    expect(await attempts()).toBe(2)
  })

  it('charges a renewal by a newly simulated call when the network fails the whole first call', async () => {
    const { simulate } = front.network.gateway
    let tampered = 0
    const short: LedgerGateway['simulate'] = (envelope) =>
      TE.map((found: Simulation) => {
        tampered += 1
        return tampered > 1 ? found : starved(found)
      })(simulate(envelope))
    const { worker } = await opensOn(gatewayWith({ simulate: short }))
    for (let ledgers = 0; ledgers < 8; ledgers++) {
      await done(worker.step)
      front.network.wait(1_000)
    }
    expect([...(await transactionStates())]).toEqual(['failed', 'succeeded'])
    await passes(1)
    await chargedOnce()
    expect((await people.intentOf(paymentId)).attempts).toBe(1)
  })

  it('renewals wait and raise a trouble while the node cannot simulate', async () => {
    const silent = TE.left({ _tag: 'LedgerUnreachable' as const, cause: 'a test' })
    const { worker } = await opensOn(gatewayWith({ simulate: () => silent }))
    await done(worker.step)
    expect(worker.troubles()).toMatchObject([{ _tag: 'CannotCharge', cause: 'a test' }])
    expect(await people.intentOf(paymentId)).toMatchObject({ status: 'waiting', attempts: 0 })
    await passes(4)
    await chargedOnce()
  })

  it('renewals go on without one that fails every simulation', async () => {
    await passes(3)
    await chargedOnce()
    const rich = await front.wallets.wallet(3)
    const others = [await people.subscribe(rich), await people.subscribe(rich, { allowance: units(6_000) })]
    people.sleepADay()
    const [poison, ...payments] = [
      await people.start(id),
      ...(await Promise.all(others.map((each) => people.start(each)))),
    ]
    const { simulate } = front.network.gateway
    const failing: LedgerGateway['simulate'] = (envelope) =>
      Buffer.from(envelope, 'base64').includes(poison)
        ? TE.right({
            _tag: 'SimulationFailed',
            asOf,
            contractError: null,
            hostError: { type: 'Value', code: 'x' },
            cause: 'a test',
          })
        : simulate(envelope)
    const { worker } = await opensOn(gatewayWith({ simulate: failing }))
    for (let ledgers = 0; ledgers < 6; ledgers++) {
      await done(worker.step)
      front.network.wait(1_000)
    }
    for (const each of payments) expect(await people.payment(each)).toMatchObject({ status: 'confirmed' })
    expect(worker.troubles()).toMatchObject([{ _tag: 'CannotCharge', cause: 'a test' }])
    expect(await people.intentOf(poison)).toMatchObject({ status: 'waiting', attempts: 0 })
  })

  it('gives up a renewal after five failed calls, without blaming the customer', async () => {
    front.network.faults.losesSubmissions = true
    await passes(25, minuteMs)
    front.network.faults.losesSubmissions = false
    expect(await attempts()).toBe(5)
    expect(await people.payment(paymentId)).toMatchObject({ status: 'failed', reason: 'not_sent' })
    expect(await people.now(id)).toMatchObject({ collection: { _tag: 'current' }, failedPaymentCount: 0 })
    expect(await held()).toBe(0n)
  })

  it('charges a renewal once when its ledger is skipped, and reports it from what a node still holds', async () => {
    await front.step()
    front.network.sandbox.close()
    const from = decoded(LedgerSequence, front.network.sandbox.clock().ledger + 1)
    const { merchantId: _, ...context } = command(front.platform, '')
    const request = { from, by: asText('a person'), reason: asText('a test'), isForced: true }
    await done(front.billing.following.resume(context, request))
    await passes(5, minuteMs)
    expect(await people.payment(paymentId)).toMatchObject({ status: 'confirmed', confirmation: { amount: units(10) } })
    expect((await people.now(id)).covered).toMatchObject({ kind: 'paid', n: 1 })
    expect([await held(), await attempts()]).toEqual([units(10), 1])
  })

  it('renewals wait until the missing operator account is funded', async () => {
    const { worker } = await opensOn(withoutChannels(front.network.seen()))
    await done(worker.step)
    expect(worker.troubles()).toEqual([{ _tag: 'FeeSourceCannotPay', account: people.operator }])
    expect(await people.intentOf(paymentId)).toMatchObject({ status: 'waiting' })
    await done(front.network.sandbox.fund({ address: people.operator }))
    for (let ledgers = 0; ledgers < 5; ledgers++) {
      await done(worker.step)
      front.network.wait(1_000)
    }
    expect(worker.troubles()).toEqual([])
    const [transaction] = await (await front.platform.shown()).ledgerTransactions.all()
    expect(transaction?.row.sourceAccount).toBe(people.operator)
    await chargedOnce()
  })

  /** A worker whose accounts can bid, and pay nothing beside it. */
  const poorly = async () => {
    const { accountView } = front.network.gateway
    const poor: LedgerGateway['accountView'] = (account, assets) => TE.map(impoverished)(accountView(account, assets))
    const { worker } = await opensOn(withoutChannels(gatewayWith({ accountView: poor })))
    front.network.wait(1_000)
    await done(worker.step)
    return worker.troubles()
  }
  it('renewals wait and raise a trouble while the operator account cannot pay for resources', async () => {
    await done(front.network.sandbox.fund({ address: people.operator }))
    expect(await poorly()).toEqual([{ _tag: 'FeeSourceCannotPay', account: people.operator }])
    expect(await people.intentOf(paymentId)).toMatchObject({ status: 'waiting', attempts: 0 })
  })
  it('the end of a mandate waits and raises a trouble while channels cannot pay for resources', async () => {
    await passes(4)
    await people.give(id, { type: 'Cancel', when: 'now', at: front.services.clock.now('testnet') })
    expect(await poorly()).toEqual([{ _tag: 'FeeSourceCannotPay', account: expect.any(String) }])
    const wanted = (await (await front.platform.shown()).intents.all()).map(({ row }) => row)
    expect(wanted.filter(({ details }) => details.action._tag === 'mandate_cancellation')).toMatchObject([
      { status: 'waiting', attempts: 0 },
    ])
  })

  const transactionStates = async (): Promise<ReadonlyArray<string>> => {
    const rows = await (await front.platform.shown()).ledgerTransactions.all()
    const ends = rows.map(async ({ id: hash }) =>
      (await people.eventsOf(`stellartx-${hash}`)).flatMap(({ type }) =>
        type === 'TransactionFailed' ? ['failed'] : type === 'TransactionSucceeded' ? ['succeeded'] : [],
      ),
    )
    return (await Promise.all(ends)).flat().sort()
  }
})
