import { ApiKeyId, asText, stroops } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { localSigner } from '@quittance/ledger'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { createBilling } from '../../face/billing.ts'
import type { Network } from '../../services/services.ts'
import { settlementKey } from '../../stores/vault/vault-signer.ts'
import { allKept } from '../../testing/kept.ts'
import { done, present, refused } from '../../testing/outcomes.ts'
import { openPlatform } from '../../testing/platform.ts'
import { command, openShop, someone } from '../../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { units } from '../../testing/wallets.ts'

describe('merchants', () => {
  let shop: StoreFront
  beforeEach(async () => {
    shop = await openStoreFront()
  })
  afterEach(() => shop.close())
  const merchants = () => shop.billing.merchants
  const founding = () => {
    const { merchantId: _, ...context } = command(shop.platform, '')
    return context
  }

  /** With a mainnet beside the testnet, which sets no account up by itself. */
  const onBoth = () => {
    const { testnet } = shop.services.networks
    const mainnet: Network = { ...present(testnet), provision: null }
    return createBilling({ ...shop.services, networks: { testnet, mainnet } }).merchants
  }
  const onMainnet = () => command(shop.platform, shop.merchantId, { environment: 'mainnet' })

  it('creates a mainnet account for a merchant with the first live key', async () => {
    const { account: ofTestnet } = await done(shop.billing.settlement(shop.merchantId, 'testnet'))
    expect(await refused(shop.billing.settlement(shop.merchantId, 'mainnet'))).toEqual({
      _tag: 'MerchantNotReady',
      environment: 'mainnet',
    })
    const context = onMainnet()
    const live = await done(onBoth().createKey(context, []))
    const settlement = await done(shop.billing.settlement(shop.merchantId, 'mainnet'))
    const { usdc, xlm, eurc } = shop.network
    expect(settlement.accepted.map(({ assetId }) => assetId)).toEqual([usdc, xlm, eurc].map(({ assetId }) => assetId))
    expect(settlement.account).not.toBe(ofTestnet)
    const seed = await shop.services.vault.carriage.withSeed(settlementKey('mainnet', shop.merchantId), localSigner)
    expect(seed.publicKey).toBe(settlement.account)
    expect(await done(shop.services.cursors.of('mainnet').load())).not.toBeNull()

    const head = await shop.platform.logEnd()
    expect(await done(onBoth().createKey(context, []))).toEqual(live)
    expect(await shop.platform.logEnd()).toEqual(head)
    await done(onBoth().createKey(onMainnet(), []))
    expect(await shop.platform.logEnd()).toMatchObject({ events: head.events + 1 })
    expect((await done(shop.billing.settlement(shop.merchantId, 'mainnet'))).account).toBe(settlement.account)
  })

  it('creates no key for an environment that is not configured or that has a silent ledger', async () => {
    const head = await shop.platform.logEnd()
    expect(await refused(merchants().createKey(onMainnet(), []))).toEqual({
      _tag: 'NetworkNotConfigured',
      environment: 'mainnet',
    })
    const { testnet } = shop.services.networks
    const silent = { _tag: 'LedgerUnreachable' as const, cause: 'a test' }
    const gateway = { ...present(testnet).gateway, latestLedger: () => TE.left(silent) }
    const mainnet: Network = { ...present(testnet), provision: null, gateway }
    const { createKey } = createBilling({ ...shop.services, networks: { testnet, mainnet } }).merchants
    expect(await refused(createKey(onMainnet(), []))).toEqual(silent)
    expect(await shop.platform.logEnd()).toEqual(head)
  })

  it('creates a merchant on the mainnet alone on request', async () => {
    const { merchantId, secret } = await done(onBoth().create({ ...founding(), environment: 'mainnet' }, asText('New')))
    expect(secret).toMatch(/^sk_live_/)
    expect(await done(shop.billing.settlement(merchantId, 'mainnet'))).toMatchObject({ merchantName: 'New' })
    expect(await refused(shop.billing.settlement(merchantId, 'testnet'))).toMatchObject({ _tag: 'MerchantNotReady' })
  })

  it('lets a new merchant sell in every asset of the network, the first by default', async () => {
    const { merchantId } = await done(merchants().create(founding(), asText('New')))
    const settlement = await done(shop.billing.settlement(merchantId, 'testnet'))
    const view = await done(
      shop.network.gateway.accountView(settlement.account, [shop.network.usdc.assetId, shop.network.eurc.assetId]),
    )
    expect(settlement).toMatchObject({ merchantName: 'New', defaultAsset: shop.network.usdc.assetId })
    expect(settlement.accepted).toHaveLength(3)
    expect(view?.trustlines.map(({ isAuthorized }) => isAuthorized)).toEqual([true, true])
  })

  it('records that a merchant’s key was handed to the sandbox', async () => {
    const context = founding()
    const { merchantId } = await done(merchants().create(context, asText('New')))
    const { account } = await done(shop.billing.settlement(merchantId, 'testnet'))
    const { at, actor } = context
    expect(await shop.services.vault.signings.of(account)).toEqual([
      { at, actor, key: settlementKey('testnet', merchantId), account, purpose: 'provision', digest: null },
    ])
  })

  it('creates a merchant once for a repeated command, with the same key', async () => {
    const context = founding()
    const first = await done(merchants().create(context, asText('New')))
    const head = await shop.platform.logEnd()
    expect(await done(merchants().create(context, asText('New')))).toEqual(first)
    expect(await shop.platform.logEnd()).toEqual(head)
  })

  it('recognises a key in its environment until it is revoked', async () => {
    const context = command(shop.platform, shop.merchantId)
    const app = await done(merchants().createKey(context, ['payments:read']))
    expect(app.secret).toMatch(/^app_test_[\w-]{43}$/)
    const principal = { merchantId: shop.merchantId, environment: 'testnet', keyId: app.keyId, kind: 'app' }
    expect(await done(merchants().authenticate(app.secret))).toEqual(
      O.some({ ...principal, scopes: ['payments:read'] }),
    )
    expect(await done(merchants().createKey(context, ['payments:read']))).toEqual(app)
    const live = await done(onBoth().createKey(command(shop.platform, shop.merchantId, { environment: 'mainnet' }), []))
    expect(live.secret).toMatch(/^sk_live_[\w-]{43}$/)
    expect(await done(merchants().authenticate(live.secret))).toMatchObject(
      O.some({ environment: 'mainnet', kind: 'secret' }),
    )

    await done(merchants().revokeKey(command(shop.platform, shop.merchantId), decoded(ApiKeyId, app.keyId)))
    expect(await done(merchants().authenticate(app.secret))).toEqual(O.none)
    expect(await done(merchants().authenticate('sk_test_unknown'))).toEqual(O.none)
    const statuses = (await merchants().keys(shop.merchantId)).map(({ id, row }) => [id, row.revokedAt !== null])
    expect(statuses).toContainEqual([app.keyId, true])
    expect(statuses).toContainEqual([live.keyId, false])
  })

  it('recognises both keys during the overlap of a replacement, then only the new one', async () => {
    const app = await done(merchants().createKey(command(shop.platform, shop.merchantId), ['payments:read']))
    const context = command(shop.platform, shop.merchantId)
    const rotate = () => merchants().rotateKey(context, decoded(ApiKeyId, app.keyId), 60_000)
    const rotated = await done(rotate())
    expect(rotated).toEqual({
      keyId: expect.stringMatching(/^key_/),
      secret: expect.stringMatching(/^app_test_/),
      validUntil: context.at + 60_000,
    })
    expect(await done(rotate())).toEqual(rotated)
    const principal = { merchantId: shop.merchantId, environment: 'testnet', kind: 'app', scopes: ['payments:read'] }
    const bearers = async () =>
      (await Promise.all([app.secret, rotated.secret].map((secret) => done(merchants().authenticate(secret))))).map(
        O.toNullable,
      )
    shop.network.wait(59_000)
    expect(await bearers()).toEqual([
      { ...principal, keyId: app.keyId },
      { ...principal, keyId: rotated.keyId },
    ])
    shop.network.wait(1_000)
    expect(await bearers()).toEqual([null, { ...principal, keyId: rotated.keyId }])
    const late = merchants().rotateKey(command(shop.platform, shop.merchantId), decoded(ApiKeyId, app.keyId), 0)
    expect(await refused(late)).toEqual({ _tag: 'ApiKeyIsReplaced', keyId: app.keyId, by: rotated.keyId })
  })

  it('rejects revoking another merchant’s key', async () => {
    const second = await openShop(shop.platform)
    const [key] = await merchants().keys(shop.merchantId)
    const outcome = await refused(
      merchants().revokeKey(command(shop.platform, second), decoded(ApiKeyId, present(key).id)),
    )
    expect(outcome._tag).toBe('ApiKeyNotFound')
    expect(present((await merchants().keys(shop.merchantId))[0]).row.revokedAt).toBeNull()
  })

  it('forgives a shortfall up to the tolerance that was set when the session was created', async () => {
    const before = await shop.sell()
    const policy = { underpaymentTolerance: stroops(100n) }
    await done(merchants().setPolicy(command(shop.platform, shop.merchantId), policy))
    const after = await shop.sell()
    const short = stroops(units(10) - 100n)
    for (const { id } of [before, after]) await shop.pay(id, [short])
    expect((await shop.checkout(before.id)).status).toBe('open')
    expect((await shop.checkout(after.id)).status).toBe('completed')
  })

  it('shows a change of a merchant to other processes at once', async () => {
    const second = await openPlatform(shop.network, shop.folder.path)
    await done(second.billing.settlement(shop.merchantId, 'testnet'))
    const policy = { underpaymentTolerance: stroops(7n) }
    await done(merchants().setPolicy(command(shop.platform, shop.merchantId), policy))
    expect((await done(second.billing.settlement(shop.merchantId, 'testnet'))).policy.underpaymentTolerance).toBe(7n)
    await second.close()
  })

  it('keeps no secret and no personal data of merchants in the clear', async () => {
    const [email, name, phone] = ['ada.lovelace@example.org', 'Augusta Ada King', '+15550199']
    const context = command(shop.platform, shop.merchantId)
    const [customer] = await done(shop.billing.customers.createAll(context, [someone(email, name, phone)]))
    const { secret } = await done(merchants().createKey(command(shop.platform, shop.merchantId), []))
    const { id } = await shop.sell(undefined, { id: present(customer).id, email: null, phone: null })
    await shop.pay(id, [units(10)])
    const seed = await shop.services.vault.carriage.withSeed(settlementKey('testnet', shop.merchantId), (bytes) =>
      Buffer.from(bytes),
    )
    const kept = await allKept(shop.folder.path)
    const written = [seed.toString('hex'), seed.toString('latin1'), await shop.seedOf(shop.merchantId)]
    expect(kept).toContain(shop.merchantId)
    for (const each of [email, name, phone, secret, ...written]) expect(kept.includes(each)).toBe(false)
  })
})
