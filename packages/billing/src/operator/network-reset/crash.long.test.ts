import { asText, Checkout, CheckoutId, Exception, ExceptionId, LedgerSequence, minuteMs } from '@quittance/domain'
import { decoded, exampleId } from '@quittance/domain/testing'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { execute } from '../../kernel/execute.ts'
import { type Club, clubIn } from '../../testing/club.ts'
import { dyingAfter } from '../../testing/failing-stores.ts'
import { done, present, refused } from '../../testing/outcomes.ts'
import { payoutsIn } from '../../testing/payouts.ts'
import { openPlatform, type TestPlatform } from '../../testing/platform.ts'
import { refundsIn, survived } from '../../testing/refunds.ts'
import { command } from '../../testing/shop.ts'
import { openStoreFront } from '../../testing/store-front.ts'
import { units } from '../../testing/wallets.ts'

const ada = { by: asText('Ada'), reason: asText('the quarterly reset'), isForced: false }
const mostDeaths = 150

describe('a process that dies while a testnet is started anew', () => {
  let club: Club
  /** What this network answers to the service that sets an account up. */
  const setUp = { isOut: false }
  beforeAll(async () => {
    const seen: Parameters<typeof openStoreFront>[1] = (network) => ({
      ...network,
      provision: (secret) =>
        setUp.isOut || network.provision === null
          ? TE.left({ _tag: 'ProvisionFailed', reason: 'a test' })
          : network.provision(secret),
    })
    club = clubIn(await openStoreFront({}, seen))
  })
  afterAll(() => club.close())

  const reset = (on: TestPlatform) => on.billing.networkResets.reset('testnet', ada)
  const ledgers = async (count: number): Promise<void> => {
    for (let passed = 0; passed < count; passed++) await club.pass()
  }

  /** A subscription that was renewed, a price change, open sessions, a refund, a payout and an exception. */
  const live = async (name: string) => {
    const [wallet] = [await club.wallets.wallet(1), await club.wallets.wallet(2)]
    const product = await club.club()
    const checkout = await club.join(product, `${name}@crash.example`)
    await club.enrol(checkout, wallet)
    await ledgers(2)
    const subscription = present((await club.checkout(checkout)).subscription_id)
    const paid = await refundsIn(club).paid()
    await payoutsIn(club).earn(3)
    await club.reprice(product, '12')
    const open = await club.sell()
    await club.pay(open.id, [units(2)])
    await club.pay(null, [units(3)])
    club.network.faults.losesSubmissions = true
    const refund = await done(refundsIn(club).request(paid))
    await club.step()
    const payout = await done(payoutsIn(club).request(await payoutsIn(club).destination()))
    club.network.faults.losesSubmissions = false
    return { subscription, paid, open, refund, payout }
  }

  const wentAway = async (): Promise<void> => {
    club.network.startAnew()
    await refused(club.worker.step)
  }

  const hasEnded = async ({ subscription, open, refund, payout }: Awaited<ReturnType<typeof live>>): Promise<void> => {
    const { billing, scope } = club
    const reason = 'network_reset'
    expect(await done(billing.subscriptions.retrieve(scope, subscription))).toMatchObject({
      status: 'canceled',
      cancellation_reason: reason,
    })
    expect(await club.checkout(open.id)).toMatchObject({ status: 'failed', failure_reason: reason })
    expect(await done(billing.refunds.retrieve(scope, refund.id))).toMatchObject({ failure_reason: reason })
    expect(await done(billing.payouts.retrieve(scope, payout.id))).toMatchObject({ failure_reason: reason })
    const rows = await club.platform.shown()
    const everything = Number.MAX_SAFE_INTEGER
    const models = ['refundClaims', 'payoutClaims', 'intents', 'ledgerTransactions', 'exceptions', 'payments'] as const
    for (const model of models) {
      const due: AsyncIterable<unknown> = rows[model].due('testnet', everything)
      expect([model, await Array.fromAsync(due)]).toEqual([model, []])
    }
    expect(await rows.mandates.places('testnet')).toEqual([])
  }

  const worksAgain = async (): Promise<void> => {
    await ledgers(2)
    await club.wallets.wallet(1)
    const { id } = await club.sell()
    await club.pay(id, [units(10)])
    expect((await club.checkout(id)).status).toBe('completed')
    const all = { from: decoded(LedgerSequence, 1), to: null, merchantId: null }
    expect(await done(club.billing.following.reconcile('testnet', all))).toMatchObject({ isOk: true })
  }

  it('ends everything once and balances the books, after its death at every append, when the command is repeated', async () => {
    let resets = (await done(club.billing.networkResets.standing('testnet'))).done.length
    let isAlive = false
    let deaths = 0
    for (; deaths < mostDeaths && !isAlive; deaths += 1) {
      const alive = await live(`d${deaths}`)
      await wentAway()
      const dying = await openPlatform(club.network, club.folder.path, dyingAfter(deaths + 1))
      isAlive = await survived(done(reset(dying)))
      await dying.close()
      // A worker of another process does nothing meanwhile.
      const { events } = await club.platform.logEnd()
      await club.worker.step()
      const standing = await done(club.billing.networkResets.standing('testnet'))
      if (standing.underWay !== null || standing.found !== null)
        expect((await club.platform.logEnd()).events).toBe(events)
      if (standing.done.length === resets) await done(reset(club.platform))
      resets += 1
      expect((await done(club.billing.networkResets.standing('testnet'))).done).toHaveLength(resets)
      await hasEnded(alive)
      await worksAgain()
    }
    expect(isAlive).toBe(true)
    expect(deaths).toBeGreaterThan(20)
  })

  it('goes on where an account could not be made', async () => {
    const alive = await live('out')
    await wentAway()
    setUp.isOut = true
    expect(await refused(reset(club.platform))).toMatchObject({ _tag: 'ProvisionFailed' })
    club.network.wait(minuteMs)
    setUp.isOut = false
    await done(reset(club.platform))
    await hasEnded(alive)
    await worksAgain()
  })

  it('is one reset for two processes at once', async () => {
    const alive = await live('two')
    await wentAway()
    const other = await openPlatform(club.network, club.folder.path)
    const before = (await done(club.billing.networkResets.standing('testnet'))).done.length
    await Promise.all([reset(club.platform)(), reset(other)()])
    expect((await done(club.billing.networkResets.standing('testnet'))).done).toHaveLength(before + 1)
    await other.close()
    await hasEnded(alive)
    await worksAgain()
  })

  it('leaves what belongs to another environment as it is', async () => {
    const { services, platform, merchantId } = club
    const { open } = await live('main')
    const rows = await platform.shown()
    const onMainnet = () => ({ ...command(platform, merchantId), environment: 'mainnet' as const })
    const created = {
      type: 'CheckoutCreated' as const,
      data: present(await rows.checkouts.withId(open.id)).row.details,
    }
    const opened = { type: 'ExceptionOpened' as const, data: present((await rows.exceptions.all())[0]).row.details }
    const [checkout, exception] = [exampleId(CheckoutId, 77), exampleId(ExceptionId, 77)]
    await done(execute(services.store)(Checkout, checkout, onMainnet(), () => E.right([created])))
    await done(execute(services.store)(Exception, exception, onMainnet(), () => E.right([opened])))
    const cursor = present(await done(services.cursors.of('testnet').load()))
    await services.cursors.move('mainnet', cursor)
    const mainnet = async () => {
      const found: Array<unknown> = []
      for await (const { metadata } of platform.log.readAll(0n))
        if (metadata.environment === 'mainnet') found.push(metadata.hash)
      return { found, cursor: await done(services.cursors.of('mainnet').load()) }
    }
    const before = await mainnet()
    expect(before.found).toHaveLength(2)
    await wentAway()
    await done(reset(platform))
    expect(await mainnet()).toEqual(before)
    expect((await (await platform.shown()).checkouts.withId(checkout))?.row.status).toBe('open')
  })
})
