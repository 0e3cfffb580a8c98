import { asText, Merchant, stroops } from '@quittance/domain'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { execute } from '../../kernel/execute.ts'
import { done } from '../../testing/outcomes.ts'
import { command, openShop } from '../../testing/shop.ts'
import { openUnprepared, type Unprepared } from '../../testing/unprepared.ts'

/** What an account keeps for itself, and what each trustline costs at the most: its reserve, and 0.01 XLM of fees. */
const [own, each] = [10_000_000n, 5_100_000n]

describe('an account on a network that prepares nothing', () => {
  let shop: Unprepared
  beforeEach(async () => {
    shop = await openUnprepared()
  })
  afterEach(() => shop.close())

  const accept = (assets: ReadonlyArray<Unprepared['network']['usdc']>) =>
    done(
      execute(shop.services.store)(
        Merchant,
        shop.merchantId,
        command(shop.platform, shop.merchantId),
        Merchant.decider.decide({
          type: 'AcceptAssets',
          environment: 'testnet',
          assets,
          defaultAsset: assets[0]?.assetId ?? shop.network.xlm.assetId,
        }),
      ),
    )

  it('has its trustlines set by one transaction once it can afford them, and is done', async () => {
    const { network, account } = shop
    await shop.pass(2)
    expect(await shop.view()).toBeNull()
    expect(await shop.rowOf()).toMatchObject({ isDone: false })
    shop.create(account, stroops(own + 2n * each))
    await shop.pass(5)
    expect(await shop.trusted()).toEqual([network.usdc.assetId, network.eurc.assetId])
    expect(await shop.transactions()).toMatchObject([{ class: 'set_up', sourceAccount: account }])
    expect(await shop.rowOf()).toMatchObject({ isDone: true })
  })

  it.each([
    { short: 1n, trusts: [] },
    { short: 0n, trusts: ['usdc'] },
  ] as const)('that is $short stroops short of one trustline trusts: $trusts', async ({ short, trusts }) => {
    shop.create(shop.account, stroops(own + each - short))
    await shop.pass(5)
    expect(await shop.trusted()).toEqual(trusts.map((name) => shop.network[name].assetId))
    expect(await shop.rowOf()).toMatchObject({ isDone: false })
    expect(shop.worker.troubles()).toEqual([])
  })

  it('goes on as soon as lumens arrive', async () => {
    shop.create(shop.account, stroops(own))
    await shop.pass(3)
    expect(await shop.setUpIntents()).toEqual([])
    shop.fund(shop.account, stroops(2n * each))
    await done(shop.worker.step)
    expect(await shop.setUpIntents()).toHaveLength(2)
  })

  it('trusts an asset that is accepted later, and no longer trusts one that is not and of which it holds nothing', async () => {
    const { network } = shop
    await accept([network.usdc])
    shop.create(shop.account, stroops(own + 2n * each))
    await shop.pass(4)
    expect(await shop.trusted()).toEqual([network.usdc.assetId])
    await accept([network.eurc])
    await shop.pass(4)
    expect(await shop.trusted()).toEqual([network.eurc.assetId])
    expect(await shop.rowOf()).toMatchObject({ isDone: true })
    // There and back again, in as many steps as it takes.
    await accept([network.usdc])
    await shop.pass(16)
    expect(await shop.trusted()).toEqual([network.usdc.assetId])
    expect(await shop.rowOf()).toMatchObject({ isDone: true })
  })

  it('keeps the trustline of an asset that it still holds', async () => {
    const { network } = shop
    shop.create(shop.account, stroops(own + 2n * each))
    await shop.pass(4)
    await done(network.sandbox.fund({ address: shop.account, assetId: network.usdc.assetId }))
    await accept([network.eurc])
    await shop.pass(4)
    expect(await shop.trusted()).toEqual([network.usdc.assetId, network.eurc.assetId])
    expect(await shop.rowOf()).toMatchObject({ isDone: false })
  })

  it('whose merchant is without lumens holds up no other merchant', async () => {
    const other = await openShop(shop.platform)
    const { account } = await done(shop.services.settlementOf(other, 'testnet'))
    shop.create(account, stroops(own + 2n * each))
    await shop.pass(5)
    expect(await shop.rowOf(other)).toMatchObject({ isDone: true })
    expect(await shop.rowOf()).toMatchObject({ isDone: false })
  })

  it('is set up at once however many wait for lumens, of which a node is asked 200 at a time', async () => {
    for (let n = 0; n < 40; n++) await openShop(shop.platform)
    const last = await openShop(shop.platform)
    const { account } = await done(shop.services.settlementOf(last, 'testnet'))
    let asked = 0
    const { gateway } = shop.network
    const known = gateway.accountView
    Object.assign(gateway, {
      accountView: (...request: Parameters<typeof known>) => {
        asked += 1
        return known(...request)
      },
    })
    await shop.pass()
    expect(asked).toBe(0)
    shop.create(account, stroops(own + 2n * each))
    await shop.pass(4)
    Object.assign(gateway, { accountView: known })
    expect(asked).toBeLessThan(12)
    expect(await shop.rowOf(last)).toMatchObject({ isDone: true })
  })

  it('takes its turn among many that can go on', async () => {
    const others = await Promise.all(Array.from({ length: 24 }, () => openShop(shop.platform)))
    for (const merchantId of others) {
      const { account } = await done(shop.services.settlementOf(merchantId, 'testnet'))
      shop.create(account, stroops(own + 2n * each))
    }
    await shop.pass(8)
    for (const merchantId of others) expect(await shop.rowOf(merchantId)).toMatchObject({ isDone: true })
  })

  it('is asked of a node in pauses that grow, as long as nothing happens', async () => {
    let asked = 0
    const { gateway } = shop.network
    const known = gateway.accountView
    Object.assign(gateway, {
      accountView: (...request: Parameters<typeof known>) => {
        if (request[0] === shop.account) asked += 1
        return known(...request)
      },
    })
    await shop.pass(120, shop.platform, 5_000)
    Object.assign(gateway, { accountView: known })
    expect(asked).toBeLessThanOrEqual(8)
    shop.create(shop.account, stroops(own + 2n * each))
    await shop.pass(4)
    expect(await shop.rowOf()).toMatchObject({ isDone: true })
  })
})

describe('a friendbot', () => {
  it('creates the accounts of merchants, of the operator and of channels, and its answer decides nothing', async () => {
    const asked: Array<string> = []
    let answers = 0
    const shop = await openUnprepared((network) => (account) => {
      asked.push(account)
      answers += 1
      // It says no, and has created the account all the same; or says yes, and has done nothing.
      if (answers === 1) return TE.right(undefined)
      return async () => {
        await network.sandbox.fund({ address: account })()
        return { _tag: 'Left', left: { _tag: 'FriendbotFailed', reason: 'a test' } } as const
      }
    })
    shop.operator()
    shop.channel(1)
    await shop.pass(30, shop.platform, 5_000)
    expect(await shop.rowOf()).toMatchObject({ isDone: true })
    for (const account of [shop.operator(), shop.channel(1)]) expect(await shop.view(account)).not.toBeNull()
    expect(new Set(asked)).toEqual(new Set([shop.account, shop.operator(), shop.channel(1)]))
    expect(shop.worker.troubles().filter(({ _tag }) => _tag === 'SetUpStuck')).toEqual([])
    await shop.close()
  })

  it('that fails is asked again in growing pauses, and a person hears of it', async () => {
    let asked = 0
    const shop = await openUnprepared(() => () => {
      asked += 1
      return TE.left({ _tag: 'FriendbotFailed', reason: 'out of lumens' })
    })
    await shop.pass(60, shop.platform, 5_000)
    expect(asked).toBeGreaterThan(2)
    expect(asked).toBeLessThanOrEqual(8)
    expect(shop.worker.troubles()).toEqual([
      { _tag: 'SetUpStuck', account: shop.account, reason: 'friendbot_failed', cause: asText('out of lumens') },
    ])
    await shop.close()
  })
})
