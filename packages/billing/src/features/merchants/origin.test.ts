import { readEnvelope } from '@quittance/ledger'
import { isRequestOf, readStellarToml } from '@quittance/ledger/testing/wallet'
import { createBilling } from '../../face/billing.ts'
import { requestSigner } from '../../stores/sign-request.ts'
import { done, present, right } from '../../testing/outcomes.ts'
import { command, openShop, someone } from '../../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'

describe('the domain of the service', () => {
  let shop: StoreFront
  beforeEach(async () => {
    shop = await openStoreFront()
  })
  afterEach(() => shop.close())
  /** The service as it is reached there. */
  const at = (url: string) => {
    const publicUrl = () => url
    const { services } = shop
    return createBilling({
      ...services,
      publicUrl,
      signRequest: requestSigner(services.vault, services.clock, publicUrl),
    })
  }
  const published = async () => right(readStellarToml(await done(shop.billing.stellarToml)))
  const requests = async (url: string) => {
    const { payer } = at(url)
    const { id } = await shop.sell()
    const quoted = await done(payer.quote(id))
    const { sep7_uri } = await done(payer.transaction(id, shop.payer.account))
    return { pay: present(quoted.sep7_uri), tx: sep7_uri, again: (await done(payer.quote(id))).sep7_uri }
  }

  it('signs every payment request with the published key', async () => {
    const { pay, tx } = await requests('https://pay.shop.example')
    const { uriRequestSigningKey } = await published()
    for (const uri of [pay, tx]) {
      expect(isRequestOf(uri, 'pay.shop.example', present(uriRequestSigningKey))).toBe(true)
    }
  })
  it('signs a repeated payment request once and records each use of the key', async () => {
    const { pay, again } = await requests('https://pay.shop.example')
    expect(again).toBe(pay)
    const uses = await shop.services.vault.signings.of(present((await published()).uriRequestSigningKey))
    const use = { key: 'payment-requests', purpose: 'uri', actor: 'payer', at: shop.network.now() }
    expect(uses).toEqual([expect.objectContaining(use), expect.objectContaining(use)])
    expect(new Set(uses.map(({ digest }) => digest)).size).toBe(2)
  })
  it.each(['http://pay.shop.example', 'http://127.0.0.1:3000', 'https://shop.example/pay'])(
    'signs nothing on an origin that cannot publish a key: %s',
    async (url) => {
      const { pay, tx } = await requests(url)
      for (const uri of [pay, tx]) expect(uri).not.toMatch(/origin_domain|signature/)
      expect(await shop.services.vault.signings.of(present((await published()).uriRequestSigningKey))).toEqual([])
    },
  )

  it('publishes the network, the merchants’ accounts and accepted assets, and the challenge key', async () => {
    const second = await openShop(shop.platform)
    const { account } = await done(shop.services.settlementOf(second, 'testnet'))
    const customer = present(
      (
        await done(
          shop.billing.customers.createAll(command(shop.platform, shop.merchantId), [someone('ada@shop.example')]),
        )
      )[0],
    )
    const context = command(shop.platform, shop.merchantId)
    const { transaction } = await done(shop.billing.wallets.start(context, customer.id, shop.payer.account))
    const challenge = right(readEnvelope(transaction, shop.network.gateway.networkPassphrase))
    const { accounts, currencies, ...rest } = await published()
    expect(new Set(accounts)).toEqual(new Set([shop.account, account]))
    expect(new Set(currencies)).toEqual(new Set([shop.network.usdc.assetId, shop.network.eurc.assetId]))
    expect(rest).toEqual({
      networkPassphrase: shop.network.gateway.networkPassphrase,
      signingKey: challenge.source,
      uriRequestSigningKey: expect.stringMatching(/^G/),
    })
  })
  it('lists a new merchant in stellar.toml within a minute', async () => {
    const before = await published()
    await openShop(shop.platform)
    expect(await published()).toEqual(before)
    shop.network.wait(60_000)
    expect((await published()).accounts).toHaveLength(2)
  })
})
