import { count, dayMs, positiveCount, stroops } from '@quittance/domain'
import { noEvents } from '@quittance/event-store'
import { archiveLog } from '@quittance/event-store/sqlite'
import { deployContract, signerOfSecret } from '@quittance/ledger'
import type { Network } from '../../services/services.ts'
import type { Club } from '../../testing/club.ts'
import { exceptionsIn } from '../../testing/exceptions.ts'
import { meteredShop } from '../../testing/metered.ts'
import { presentWasm } from '../../testing/moving-club.ts'
import { done, present, refused } from '../../testing/outcomes.ts'
import { filesIn } from '../../testing/platform.ts'
import { refundsIn } from '../../testing/refunds.ts'
import { command, someone } from '../../testing/shop.ts'
import { provenLog } from '../../testing/stores.ts'
import {
  type Installation,
  openTwoInstallations,
  resetFor,
  type TwoInstallations,
} from '../../testing/two-installations.ts'
import { units, type Wallet } from '../../testing/wallets.ts'

/** A merchant that will leave, and what its past is made with. */
type Life = TwoInstallations & {
  /** With the source's present process. */
  readonly club: () => Promise<Club>
  /** Somebody who subscribes, with a wallet of their own. */
  readonly member: (changed?: Parameters<Club['club']>[0]) => Promise<Member>
}
type Member = { readonly id: string; readonly wallet: Wallet; readonly product: string; readonly customer: string }

const subscriptionOf = async (club: Club, id: string) => {
  const state = await club.subscription(id)
  if (state.status === 'absent') throw new Error(`${id} is absent`)
  return state
}

/** All rows about the merchant that its streams give. */
const rowsOf = async ({ merchantId }: TwoInstallations, { now }: Installation) => {
  const models = await now().shown()
  const rows: Array<readonly [string, ReadonlyArray<unknown>]> = []
  for (const [name, model] of Object.entries(models)) {
    if (!('all' in model) || !('withId' in model) || name === 'merchants') continue
    const own = (await model.all()).filter((each: { readonly merchantId: string }) => each.merchantId === merchantId)
    rows.push([name, own])
  }
  return rows
}

describe('an honest export', () => {
  let two: TwoInstallations
  let life: Life
  let seen: { -readonly [Key in keyof Network]?: Network[Key] }
  let members: ReadonlyArray<Member>
  const begin = async (seenBySource: Partial<Network> = {}, isDestinationReset = false) => {
    seen = { ...seenBySource }
    two = await openTwoInstallations(seen, isDestinationReset)
    members = []
    const club = () => two.source.club(two.merchantId)
    const member = async (changed: Parameters<Club['club']>[0] = { trialDays: count(0) }) => {
      const present_ = await club()
      const number = members.length
      const wallet = await present_.wallets.wallet(100 + number)
      const product = await present_.club(changed)
      const [made] = await done(
        present_.billing.customers.createAll(command(two.source.now(), two.merchantId), [
          someone(`m${number}@leaving.example`),
        ]),
      )
      const customer = present(made).id
      const checkout = await present_.joinAs(product, customer)
      await present_.enrol(checkout, wallet)
      await two.ledgers(2)
      const id = present((await present_.checkout(checkout)).subscription_id)
      const joined = { id, wallet, product, customer }
      members = [...members, joined]
      return joined
    }
    life = { ...two, club, member }
  }
  beforeEach(() => begin())
  afterEach(() => two.close())

  const days = async (count: number) => {
    two.network.wait(count * dayMs)
    await two.ledgers(8)
  }
  const freeze = () => done(two.source.now().billing.freezes.freeze(two.freezing))
  const accessOf = (club: Club) =>
    Promise.all(
      members.map(
        async ({ customer, product }) => (await club.billing.access(club.scope, customer, product)()) ?? null,
      ),
    )
  /** What a subscription was charged for, and what the ledger took from its wallet. */
  const paidBy = async (club: Club, { id, wallet }: Member) => {
    const { attempts } = await subscriptionOf(club, id)
    const usdc = { account: wallet.account, assetId: two.network.usdc.assetId }
    const [held] = await done(two.network.gateway.balances([usdc]))
    return {
      periods: attempts.filter(({ status }) => status === 'confirmed').map(({ n }) => n),
      held: present(held).held ?? 0n,
    }
  }

  /** Moves the merchant, and proves that all goes on as it was. */
  const goesOn = async () => {
    await freeze()
    await two.ledgers(4)
    const history = await two.eventsAbout(two.source)
    await two.move()
    const arrived = await two.eventsAbout(two.destination)
    expect(arrived.slice(0, history.length).map(({ position: _, ...event }) => event)).toEqual(
      history.map(({ position: _, ...event }) => event),
    )
    expect(arrived.slice(history.length).map(({ type }) => type)).toEqual(['MerchantLeft', 'MerchantArrived'])
    const [before, after] = [await life.club(), await two.destination.club(two.merchantId)]
    expect(await rowsOf(two, two.destination)).toEqual(await rowsOf(two, two.source))
    expect(await accessOf(after)).toEqual(await accessOf(before))
    await two.rotate()
    await done(two.destination.now().billing.freezes.unfreeze(two.freezing))
    await two.ledgers(4)
    return after
  }
  /** Each member who is charged pays the next two periods once each. */
  const chargesOn = async (club: Club, charged: ReadonlyArray<Member>) => {
    for (const _ of [1, 2]) {
      const before = await Promise.all(charged.map((each) => paidBy(club, each)))
      await days(31)
      for (const [index, member] of charged.entries()) {
        const { periods, held } = await paidBy(club, member)
        const was = present(before[index])
        expect({ ...member, periods: periods.length }).toEqual({ ...member, periods: was.periods.length + 1 })
        expect(new Set(periods).size).toBe(periods.length)
        expect(was.held - held).toBe(units(10))
      }
    }
    expect(await club.exceptions()).toEqual(await (await life.club()).exceptions())
    await inOrder()
  }
  const inOrder = async () => {
    for (const each of [two.source, two.destination]) {
      expect(await two.reconciled(each)).toMatchObject({ isOk: true, unexplained: [], missing: [] })
      expect(each.now().services.logStanding.now()).toEqual({ _tag: 'Sound' })
      expect(await each.now().services.violations.present('testnet')).toEqual([])
      expect(await provenLog(each.folder.path)).toMatchObject({ ok: true, problems: [] })
    }
  }
  /** Refuses the export, and writes nothing. */
  const staysFor = async (...hindrances: ReadonlyArray<string>) => {
    const before = await two.source.now().logEnd()
    const why = await refused(two.exported())
    expect(why).toMatchObject({ _tag: 'NotQuiet', hindrances: hindrances.map((what) => ({ what, count: 1 })) })
    expect(await two.source.now().logEnd()).toEqual(before)
  }

  /** Signs what a subscriber is asked for. */
  const sign = async ({ id, wallet }: Member) => {
    const { billing } = two.source.now()
    const { authorization } = await done(billing.subscriptions.retrieve(two.scope, id))
    const session = present(authorization.update_url).replace(/^.*\/pay\//, '')
    const { transaction_xdr } = await done(billing.payer.transaction(session, wallet.account))
    await done(billing.payer.submit(session, wallet.sign(transaction_xdr)))
    await two.ledgers()
  }
  /** The merchant is paid at its own account from now on. */
  const proveOwn = async (own: Wallet) => {
    const { ownAccount } = two.source.now().billing
    const now = () => command(two.source.now(), two.merchantId)
    const { transaction } = await done(ownAccount.ask(now(), own.account))
    await done(ownAccount.verify(now(), own.sign(transaction)))
  }
  /** The source names another contract for new mandates. */
  const moveContract = async () => {
    const club = await life.club()
    const signer = present(signerOfSecret(club.other.secret))
    const pause = async () => two.network.wait(1_000)
    const order = { wasm: presentWasm, deployer: club.other.account, signer, liveFor: 0, resourceFeeLimit: units(100) }
    seen.mandateContract = (await done(deployContract(two.network.gateway, pause)(order))).contract
    await two.source.restart()
  }

  it('goes on after keys were rotated', async () => {
    await two.ownOperator()
    const member = await life.member()
    const { accountKeys } = two.source.now().billing
    await done(accountKeys.rotate('testnet', { _tag: 'settlement', merchantId: two.merchantId }))
    await done(accountKeys.rotate('testnet', { _tag: 'operator', merchantId: two.merchantId }))
    await two.ledgers(10)
    await chargesOn(await goesOn(), [member])
  }, 60_000)

  it('goes on with an account in the merchant’s custody, and the former one', async () => {
    await two.ownOperator()
    const former = await life.member()
    await proveOwn(await (await life.club()).wallets.wallet(90))
    await two.ledgers()
    const present_ = await life.member()
    await chargesOn(await goesOn(), [former, present_])
  }, 60_000)

  it('goes on with mandates in two contracts, once none names an operator account of others', async () => {
    const shared = await life.member()
    await two.ownOperator()
    await freeze()
    await staysFor('shared_operator')
    await done(two.source.now().billing.freezes.unfreeze(two.freezing))
    const migration = { by: two.by, reason: two.reason, merchantId: two.merchantId }
    await done(two.source.now().billing.mandateContracts.migrate('testnet', migration))
    await two.ledgers()
    await sign(shared)
    const first = await life.member()
    await moveContract()
    const second = await life.member()
    const club = await goesOn()
    const contracts = await Promise.all(
      [first, second].map(async ({ id }) => present((await subscriptionOf(club, id)).authorization).mandate?.contract),
    )
    expect(new Set(contracts).size).toBe(2)
    await chargesOn(club, [shared, first, second])
  }, 60_000)

  it('goes on with money that waits for a decision, credits, an announced price, an erased customer, and a merged one', async () => {
    await two.ownOperator()
    const club = await life.club()
    const repriced = await life.member()
    const trying = await life.member({ trialDays: count(20) })
    const leaving = await life.member()
    const paused = await life.member()
    const poor = await life.member()
    const erased = await life.member()
    const now = () => command(two.source.now(), two.merchantId)
    await done(club.billing.subscriptions.cancel(now(), leaving.id, 'period_end'))
    await done(club.billing.subscriptions.pause(now(), paused.id))
    await done(club.billing.customers.remove(now(), erased.customer))
    const [remaining, merged] = [await life.member(), await life.member()]
    const merge = { from: merged.customer, into: remaining.customer, by: two.by, reason: two.reason }
    await done(club.billing.customers.merge(now(), merge))
    const change = await club.reprice(repriced.product, '10.5')
    const metered = meteredShop(club)
    const credits = { customerId: await metered.customer(), productId: await metered.product() }
    await metered.buy(credits.customerId, credits.productId)
    await done(club.billing.credits.consume(now(), credits, { units: positiveCount(3), metadata: {} }))
    club.other.requireMemo()
    const [stray, sentOn] = [
      await club.pay('nobody', [units(7)], { from: club.other }),
      await club.pay('nobody', [units(6)], { from: club.other }),
    ]
    const sale = await club.sell()
    await club.pay(sale.id, [units(10)])
    poor.wallet.pay({ to: club.other.account, asset: two.network.usdc.assetId, parts: [units(9_985)], memo: null })
    await days(31)
    // It waits for a day.
    const elsewhere = await club.wallets.wallet(80)
    const destination = {
      action: 'refund' as const,
      note: null,
      destination: elsewhere.account,
      mayNameAnyAddress: true,
    }
    await done(exceptionsIn(club).resolve(await exceptionsIn(club).of(sentOn), destination))
    const after = await goesOn()
    const balances = await Promise.all(
      [await life.club(), after].map(({ billing }) => done(billing.credits.retrieve(two.scope, credits))),
    )
    expect(balances[1]).toEqual(balances[0])
    await days(31)
    const repricedNow = await done(after.billing.subscriptions.retrieve(two.scope, repriced.id))
    expect(repricedNow).toMatchObject({ last_attempt: { amount: '10.5 USDC' } })
    expect(await done(after.billing.priceChanges.retrieve(two.scope, change.id))).toMatchObject({
      progress: { changed: 1 },
    })
    expect((await subscriptionOf(after, trying.id)).status).toBe('active')
    expect((await subscriptionOf(after, leaving.id)).status).toBe('canceled')
    expect((await subscriptionOf(after, paused.id)).status).toBe('paused')
    expect((await subscriptionOf(after, poor.id)).status).toBe('overdue')
    const open = await exceptionsIn(after).of(stray)
    expect(open).toMatchObject({ status: 'open' })
    await done(exceptionsIn(after).resolve(open, { action: 'accept', note: null }))
    expect(await exceptionsIn(after).of(sentOn)).toMatchObject({ status: 'resolved', return_status: 'succeeded' })
    expect(await exceptionsIn(after).held(elsewhere.account)).toBe(units(10_006))
    await inOrder()
  }, 60_000)

  it('goes on with archived years', async () => {
    await two.ownOperator()
    const member = await life.member()
    await days(31)
    await two.source.restart(() => {
      const { events } = filesIn(two.source.folder.path)
      archiveLog({ path: events, before: two.network.now() - dayMs, clock: two.network.now })
    })
    await chargesOn(await goesOn(), [member])
  }, 60_000)

  it('stays for refunds that wait, and goes on after them', async () => {
    await two.ownOperator()
    const club = await life.club()
    const refunds = refundsIn(club)
    const refund = await done(refunds.request(await refunds.paid()))
    await freeze()
    await staysFor('outgoing', 'refunds')
    await done(two.source.now().billing.freezes.unfreeze(two.freezing))
    await two.ledgers()
    expect(await refunds.ended(refund)).toMatchObject({ status: 'succeeded' })
    await goesOn()
    await inOrder()
  }, 60_000)

  it('stays if its network was reset', async () => {
    await resetFor(two.network, two.source)
    await freeze()
    await staysFor('network_reset')
  }, 60_000)

  it('goes on at an installation whose network was reset before', async () => {
    await two.close()
    await begin({}, true)
    await two.ownOperator()
    const member = await life.member()
    const refunds = refundsIn(await life.club())
    const sold = await refunds.paid()
    const club = await goesOn()
    const after = refundsIn(club)
    expect(await after.ended(await done(after.request(sold)))).toMatchObject({ status: 'succeeded' })
    await chargesOn(club, [member])
  }, 60_000)

  it('stays for a refund that waits for the merchant’s signature', async () => {
    const club = await life.club()
    await proveOwn(await club.wallets.wallet(90))
    const refunds = refundsIn(await life.club())
    await done(refunds.request(await refunds.paid()))
    await freeze()
    await staysFor('outgoing', 'refunds')
  }, 60_000)

  it('goes on with an account that no ledger has had, once it is there', async () => {
    await two.close()
    await begin({ provision: null, setUpBalance: stroops(0n) })
    await freeze()
    await two.move()
    const { accountKeys, freezes } = two.destination.now().billing
    const settlement = { _tag: 'settlement' as const, merchantId: two.merchantId }
    const { account } = await done(two.destination.now().services.settlementOf(two.merchantId, 'testnet'))
    expect(await refused(accountKeys.rotate('testnet', settlement))).toEqual({ _tag: 'AccountNotOnLedger', account })
    expect(await refused(freezes.unfreeze(two.freezing))).toEqual({ _tag: 'KeysNotRotated', accounts: [account] })
    const club = await two.destination.club(two.merchantId)
    club.wallets.create(club.other.secret, account, units(10), null)
    await done(accountKeys.rotate('testnet', settlement))
    await two.ledgers(10)
    await done(freezes.unfreeze(two.freezing))
    await two.ledgers(10)
    const sale = await club.sell()
    await club.pay(sale.id, [units(10)])
    expect(await club.checkout(sale.id)).toMatchObject({ status: 'completed' })
  }, 60_000)

  it('stays if no destination would take what its streams hold', async () => {
    await freeze()
    await two.ledgers()
    const { log } = two.source.now()
    const { id: _, ...context } = {
      ...command(two.source.now(), two.merchantId),
      occurredAt: two.network.now(),
      id: '',
    }
    const event = { id: 'x', type: 'MigrationRequested', schemaVersion: 1, data: {}, context }
    await done(log.append('migration-of-a-merchant', noEvents, [event]))
    const before = await two.source.now().logEnd()
    expect(await refused(two.exported())).toEqual({
      _tag: 'ForeignContent',
      what: 'MigrationRequested of migration-of-a-merchant',
    })
    expect(await two.source.now().logEnd()).toEqual(before)
  }, 60_000)
})
