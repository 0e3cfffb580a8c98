import { MerchantId } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { keyPairFromSeed } from '@quittance/ledger'
import { Asset, Operation } from '@stellar/stellar-sdk'
import { settlementKey } from '../../stores/vault/vault-signer.ts'
import { done } from '../../testing/outcomes.ts'
import { command } from '../../testing/shop.ts'
import { openUnprepared, type Unprepared } from '../../testing/unprepared.ts'
import { units, walletsOn } from '../../testing/wallets.ts'

describe('a request for a set-up', () => {
  let shop: Unprepared
  beforeEach(async () => {
    shop = await openUnprepared()
  })
  afterEach(() => shop.close())

  const setUp = (isSponsored?: boolean) =>
    done(shop.platform.billing.settlementAccounts.setUp(command(shop.platform, shop.merchantId), { isSponsored }))
  const eventsNow = async () =>
    (await done(shop.platform.log.readStream(`merchant-${decoded(MerchantId, shop.merchantId)}`))).events.map(
      ({ type }) => type,
    )

  it('shows what is missing, and records nothing while the set-up is under way', async () => {
    const before = await eventsNow()
    expect(await setUp()).toMatchObject({ exists: false, missing: '2.02', problems: [{ code: 'account_missing' }] })
    expect(await eventsNow()).toEqual(before)
  })

  it('needs no lumens with a sponsor, and the missing ones once the sponsor leaves', async () => {
    expect(await setUp(true)).toMatchObject({ missing: '0', problems: [{ code: 'account_pending' }] })
    shop.create(await shop.operator(), units(100))
    await shop.pass(6)
    expect(await setUp()).toMatchObject({ exists: true, balance: '0', missing: '0', is_ready: true })
    expect(await setUp(false)).toMatchObject({ is_ready: true })
    expect((await eventsNow()).slice(-2)).toEqual(['SetUpCompleted', 'SponsorshipSet'])
  })

  it('restores what the account has lost since', async () => {
    const { network, account } = shop
    shop.create(account, units(10))
    await shop.pass(4)
    const secret = (
      await shop.services.vault.carriage.withSeed(settlementKey('testnet', shop.merchantId), keyPairFromSeed)
    ).secret
    const [code = '', issuer] = network.usdc.assetId.split(':')
    walletsOn(network).act(secret, [Operation.changeTrust({ asset: new Asset(code, issuer), limit: '0' })])
    await shop.pass(4)
    expect(await shop.trusted()).toEqual([network.eurc.assetId])
    expect(await setUp()).toMatchObject({ problems: [{ code: 'trustline_missing' }] })
    expect((await setUp()).problems).toMatchObject([{ code: 'trustline_pending' }])
    await shop.pass(16)
    expect((await setUp()).is_ready).toBe(true)
  })
})
