import { asText, ExceptionId, Merchant, stroops } from '@quittance/domain'
import { accountOf, exampleId } from '@quittance/domain/testing'
import { execute } from '../../kernel/execute.ts'
import { done, present } from '../../testing/outcomes.ts'
import { command } from '../../testing/shop.ts'
import { openUnprepared, type Unprepared } from '../../testing/unprepared.ts'
import { units } from '../../testing/wallets.ts'
import { recordIntent } from '../outgoing/record-intent.ts'

/** The operator keeps five XLM, two reserves for itself, and pays for an account and two trustlines. */
const [kept, reserves] = [50_000_000n, 20_000_000n]

describe('an account that the operator sponsors', () => {
  let shop: Unprepared
  beforeEach(async () => {
    shop = await openUnprepared()
    await sponsor(true)
  })
  afterEach(() => shop.close())

  const sponsor = (isSponsored: boolean) =>
    done(
      execute(shop.services.store)(
        Merchant,
        shop.merchantId,
        command(shop.platform, shop.merchantId),
        Merchant.decider.decide({ type: 'SetSponsorship', environment: 'testnet', isSponsored }),
      ),
    )
  const stuck = () => shop.worker.troubles().filter(({ _tag }) => _tag === 'SetUpStuck')

  it('needs no lumens: the operator creates it, keeps its reserves and pays the fees', async () => {
    const { network, account } = shop
    shop.create(await shop.operator(), units(100))
    await shop.pass(6)
    expect(await shop.view()).toMatchObject({ nativeBalance: 0n, nativeSpendable: 0n })
    expect(await shop.trusted()).toEqual([network.usdc.assetId, network.eurc.assetId])
    expect(await shop.rowOf()).toMatchObject({ isDone: true })
    expect((await shop.transactions()).map(({ sourceAccount }) => sourceAccount)).toEqual(
      Array(2).fill(await shop.operator()),
    )
    const operator = present(await shop.view(await shop.operator()))
    expect(operator.reserve).toBe(10_000_000n + reserves)
    // Three operations create the account, four set the trustlines.
    expect(units(100) - operator.nativeBalance).toBe(700n)

    // Its own payments cost the account nothing either.
    await done(network.sandbox.fund({ address: account, assetId: network.usdc.assetId }))
    await shop.stranger.trust(network.usdc.assetId)
    const action = {
      _tag: 'payment' as const,
      destination: shop.stranger.account,
      assetId: network.usdc.assetId,
      amount: units(1),
    }
    const owner = asText(exampleId(ExceptionId, 1))
    const at = shop.services.clock.now('testnet')
    await done(
      recordIntent(shop.services, shop.scope, { class: 'return', owner, source: account, action, memo: null, at }),
    )
    await shop.pass(4)
    expect((await shop.view())?.trustlines[0]?.balance).toBe(units(10_000) - units(1))
    expect(shop.worker.troubles()).toEqual([])
  })

  it('gets its recovery signer before its trustlines, at the cost of the operator', async () => {
    await shop.close()
    shop = await openUnprepared(() => null, accountOf(77))
    await sponsor(true)
    shop.create(await shop.operator(), units(100))
    for (let ledgers = 0; ledgers < 8; ledgers++) {
      await shop.pass()
      const signers = (await shop.view())?.authority.signers.length
      expect([signers ?? 2, (await shop.trusted()).length]).not.toEqual([1, 2])
    }
    expect(await shop.trusted()).toHaveLength(2)
    expect(await shop.view()).toMatchObject({ nativeBalance: 0n, authority: { signers: { length: 2 } } })
    expect(await shop.rowOf()).toMatchObject({ isDone: true })
    expect(present(await shop.view(await shop.operator())).reserve).toBe(10_000_000n + reserves + 5_000_000n)
    expect(shop.worker.troubles()).toEqual([])
  })

  it('gets another key at the cost of the operator, twice, and keeps working', async () => {
    shop.create(await shop.operator(), units(100))
    await shop.pass(6)
    const before = present(await shop.view(await shop.operator()))
    const holder = { _tag: 'settlement' as const, merchantId: shop.merchantId }
    for (let times = 0; times < 2; times++) {
      await done(shop.platform.billing.accountKeys.rotate('testnet', holder))
      await shop.pass(4)
      const [keys] = await done(shop.platform.billing.accountKeys.show('testnet', holder))
      expect(keys).toMatchObject({ account: shop.account, isProven: true })
    }
    const after = present(await shop.view(await shop.operator()))
    expect(after.reserve - before.reserve).toBe(5_000_000n)
    expect(await shop.view()).toMatchObject({ nativeBalance: 0n, nativeSpendable: 0n })
    expect(shop.worker.troubles()).toEqual([])
  })

  it.each([
    { short: 1n, exists: false },
    { short: 0n, exists: true },
  ])('waits while the operator is $short stroops short of the lumens for its own work', async ({ short, exists }) => {
    shop.create(await shop.operator(), stroops(10_000_000n + kept + 10_000_000n - short))
    await shop.pass(4)
    expect((await shop.view()) !== null).toBe(exists)
    expect(stuck()).toMatchObject([{ account: shop.account, reason: 'sponsor_cannot_pay' }])
  })

  it('waits for an operator account and raises an alarm', async () => {
    await shop.pass(2)
    expect(stuck()).toMatchObject([{ account: shop.account, reason: 'sponsor_missing' }])
  })

  it('returns the reserve of a trustline that it no longer needs', async () => {
    const { network } = shop
    shop.create(await shop.operator(), units(100))
    await shop.pass(6)
    const assets = [network.eurc]
    await done(
      execute(shop.services.store)(
        Merchant,
        shop.merchantId,
        command(shop.platform, shop.merchantId),
        Merchant.decider.decide({
          type: 'AcceptAssets',
          environment: 'testnet',
          assets,
          defaultAsset: network.eurc.assetId,
        }),
      ),
    )
    await shop.pass(4)
    expect(await shop.trusted()).toEqual([network.eurc.assetId])
    expect((await shop.view(await shop.operator()))?.reserve).toBe(10_000_000n + reserves - 5_000_000n)
  })

  it('is created once, even if somebody else creates it meanwhile', async () => {
    shop.create(await shop.operator(), units(100))
    await done(shop.worker.step)
    // The creation waits in the queue: one with a higher bid comes first.
    shop.create(shop.account, units(2))
    await shop.pass(6)
    expect(await shop.rowOf()).toMatchObject({ isDone: true })
  })

  it('keeps its sponsored reserves when the sponsorship ends, and pays later ones itself', async () => {
    shop.create(await shop.operator(), units(100))
    await shop.pass(6)
    await sponsor(false)
    await shop.pass(3)
    expect(await shop.rowOf()).toMatchObject({ isDone: true })
    expect((await shop.view(await shop.operator()))?.reserve).toBe(10_000_000n + reserves)
  })
})
