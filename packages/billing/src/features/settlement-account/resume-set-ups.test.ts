import { asText, Merchant, stroops } from '@quittance/domain'
import { accountOf } from '@quittance/domain/testing'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { execute } from '../../kernel/execute.ts'
import { done, present } from '../../testing/outcomes.ts'
import { command, openShop } from '../../testing/shop.ts'
import { openUnprepared, type Unprepared } from '../../testing/unprepared.ts'

/** The reserve of an account, and the most that each trustline costs: its reserve, and 0.01 XLM of fees. */
const [own, each] = [10_000_000n, 5_100_000n]

describe('an account on a network that sets no accounts up', () => {
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

  it('gets its trustlines in one transaction once it can afford them', async () => {
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

  it.each([
    { lumens: own + 3n * each, signers: 2, isLate: false },
    // What the fees leave of the trustlines' share pays for the signer.
    { lumens: own + 3n * each - 1n, signers: 2, isLate: true },
    { lumens: own + 2n * each, signers: 1, isLate: true },
  ])('gets the recovery signer before its trustlines, if it can afford both ($lumens)', async (given) => {
    await shop.close()
    shop = await openUnprepared(() => null, accountOf(77))
    const { settlementAccounts } = shop.platform.billing
    expect(await done(settlementAccounts.show(shop.scope))).toMatchObject({ missing: '2.53' })
    shop.create(shop.account, stroops(given.lumens))
    const seen: Array<readonly [number, number]> = []
    for (let ledgers = 0; ledgers < 9; ledgers++) {
      await shop.pass()
      seen.push([present(await shop.view()).authority.signers.length, (await shop.trusted()).length])
    }
    expect(seen.some(([signers, lines]) => signers === 1 && lines > 0)).toBe(given.isLate)
    expect(await shop.rowOf()).toMatchObject({ isDone: true })
    const { authority } = present(await shop.view())
    expect(authority.signers).toEqual(
      [shop.account, accountOf(77)].slice(0, given.signers).map((key) => ({ key, weight: 1 })),
    )
    expect(await shop.trusted()).toHaveLength(2)
    expect(await done(settlementAccounts.show(shop.scope))).toMatchObject({ missing: '0', is_ready: true })
    expect(shop.worker.troubles()).toEqual([])
  })

  it('resumes its set-up as soon as lumens arrive', async () => {
    shop.create(shop.account, stroops(own))
    await shop.pass(3)
    expect(await shop.setUpIntents()).toEqual([])
    shop.fund(shop.account, stroops(2n * each))
    await done(shop.worker.step)
    expect(await shop.setUpIntents()).toHaveLength(2)
  })

  it('adds the trustline of a newly accepted asset and removes an empty one that is no longer accepted', async () => {
    const { network } = shop
    await accept([network.usdc])
    shop.create(shop.account, stroops(own + 2n * each))
    await shop.pass(4)
    expect(await shop.trusted()).toEqual([network.usdc.assetId])
    await accept([network.eurc])
    await shop.pass(4)
    expect(await shop.trusted()).toEqual([network.eurc.assetId])
    expect(await shop.rowOf()).toMatchObject({ isDone: true })
    // The change is undone and made again, in as many steps as it takes.
    await accept([network.usdc])
    await shop.pass(16)
    expect(await shop.trusted()).toEqual([network.usdc.assetId])
    expect(await shop.rowOf()).toMatchObject({ isDone: true })
  })

  it('keeps the trustline of an asset that it holds', async () => {
    const { network } = shop
    shop.create(shop.account, stroops(own + 2n * each))
    await shop.pass(4)
    await done(network.sandbox.fund({ address: shop.account, assetId: network.usdc.assetId }))
    await accept([network.eurc])
    await shop.pass(4)
    expect(await shop.trusted()).toEqual([network.usdc.assetId, network.eurc.assetId])
    expect(await shop.rowOf()).toMatchObject({ isDone: false })
  })

  it('does not hold up other merchants if it has no lumens', async () => {
    const other = await openShop(shop.platform)
    const { account } = await done(shop.services.settlementOf(other, 'testnet'))
    shop.create(account, stroops(own + 2n * each))
    await shop.pass(5)
    expect(await shop.rowOf(other)).toMatchObject({ isDone: true })
    expect(await shop.rowOf()).toMatchObject({ isDone: false })
  })

  it('is set up at once while many others wait for lumens, which are read 200 at a time', async () => {
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

  it('takes its turn among many accounts that can go on', async () => {
    const others = await Promise.all(Array.from({ length: 24 }, () => openShop(shop.platform)))
    for (const merchantId of others) {
      const { account } = await done(shop.services.settlementOf(merchantId, 'testnet'))
      shop.create(account, stroops(own + 2n * each))
    }
    await shop.pass(8)
    for (const merchantId of others) expect(await shop.rowOf(merchantId)).toMatchObject({ isDone: true })
  })

  it('is read from a node in growing pauses while nothing happens', async () => {
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
  it('creates the accounts of merchants, operator and channels, and only the ledger confirms them', async () => {
    const asked: Array<string> = []
    let answers = 0
    const shop = await openUnprepared((network) => (account) => {
      asked.push(account)
      answers += 1
      // It refuses although it has created the account, or agrees although it has done nothing.
      if (answers === 1) return TE.right(undefined)
      return async () => {
        await network.sandbox.fund({ address: account })()
        return { _tag: 'Left', left: { _tag: 'FriendbotFailed', reason: 'a test' } } as const
      }
    })
    await shop.operator()
    await shop.channel(1)
    await shop.pass(30, shop.platform, 5_000)
    expect(await shop.rowOf()).toMatchObject({ isDone: true })
    for (const account of [await shop.operator(), await shop.channel(1)])
      expect(await shop.view(account)).not.toBeNull()
    expect(new Set(asked)).toEqual(new Set([shop.account, await shop.operator(), await shop.channel(1)]))
    expect(shop.worker.troubles().filter(({ _tag }) => _tag === 'SetUpStuck')).toEqual([])
    await shop.close()
  })

  it('is asked again in growing pauses after a failure, and an alarm is raised', async () => {
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
