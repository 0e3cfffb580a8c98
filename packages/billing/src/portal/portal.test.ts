import { HttpUrl, Text } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import * as E from 'fp-ts/lib/Either.js'
import { done, present, refused, right } from '../testing/outcomes.ts'
import { openPlatform } from '../testing/platform.ts'
import { command, someone } from '../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../testing/store-front.ts'
import { units } from '../testing/wallets.ts'
import type { PortalView } from './portal-view.ts'
import { allowedReturnUrl } from './return-url.ts'

const minuteMs = 60_000
const newest = { subscriptions: null, payments: null }

import { timesOf } from '../kernel/clock.ts'

describe('customer portal', () => {
  let shop: StoreFront
  let customerId: string
  beforeEach(async () => {
    shop = await openStoreFront()
    const customers = await done(shop.billing.customers.createAll(now(), [someone('ada@shop.example', 'Ada Lovelace')]))
    customerId = present(customers[0]).id
  })
  afterEach(() => shop.close())
  const now = () => command(shop.platform, shop.merchantId)
  const portal = () => shop.billing.portal
  const invited = async () => (await done(portal().open(now(), customerId))).token

  it('opens for one visit at the address that the merchant receives', async () => {
    const context = now()
    const session = await done(portal().open(context, customerId))
    expect(session).toEqual({
      object: 'portal_session',
      url: `http://pay.test/portal/${session.token}`,
      token: expect.stringMatching(/^[\w-]{43}$/),
      expires_at: new Date(context.at + 5 * minuteMs).toISOString(),
      return_url: null,
    })
    expect(await done(portal().open(context, customerId))).toEqual(session)
    const secret = present(await portal().enter(session.token))
    const visit = { ...shop.scope, customerId, returnUrl: null, formToken: expect.stringMatching(/^[0-9a-f]{64}$/) }
    expect(await portal().visitor(secret)).toEqual(visit)
    expect(await portal().enter(session.token)).toBeNull()
    expect(await done(portal().open(context, customerId))).toEqual(session)
    expect(await portal().enter(session.token)).toBeNull()
  })

  it('admits one of many simultaneous visits, whichever process they reach', async () => {
    const second = await openPlatform(shop.network, shop.folder.path)
    const token = await invited()
    const visits = (
      await Promise.all(
        [1, 2, 3].map(async () => [await portal().enter(token), await second.billing.portal.enter(token)]),
      )
    ).flat()
    const secrets = visits.filter((secret) => secret !== null)
    expect(secrets).toHaveLength(1)
    expect(await second.billing.portal.visitor(present(secrets[0]))).toMatchObject({ ...shop.scope, customerId })
    await second.close()
  })

  it('closes five minutes after it was opened without a visit, and an hour after the visit', async () => {
    const [early, late] = [await invited(), await invited()]
    shop.network.wait(5 * minuteMs - 1000)
    const secret = present(await portal().enter(early))
    shop.network.wait(1000)
    expect(await portal().enter(late)).toBeNull()
    shop.network.wait(59 * minuteMs + 58_000)
    expect(await portal().visitor(secret)).not.toBeNull()
    shop.network.wait(1000)
    expect(await portal().visitor(secret)).toBeNull()
  })

  it('is closed for the customers of a merchant that has left, in sessions that have begun too', async () => {
    const [begun, unused] = [present(await portal().enter(await invited())), await invited()]
    const entry = await portal().entries.ask(shop.scope, 'ada@shop.example', 'a client')
    const { id } = right(entry)
    const [merchantId, to] = [shop.merchantId, 'another installation'].map((text) => decoded(Text, text))
    shop.services.left.add({ merchantId: present(merchantId), to: present(to), at: shop.network.now() })
    expect(await portal().visitor(begun)).toBeNull()
    expect(await portal().visitor((await portal().enter(unused)) ?? '')).toBeNull()
    expect(await portal().entries.door(shop.scope)).toEqual(E.left({ _tag: 'MerchantNotFound' }))
    expect(await portal().entries.doorOf(id)).toBeNull()
    expect(await portal().entries.ask(shop.scope, 'ada@shop.example', 'a client')).toEqual(
      E.left({ _tag: 'MerchantNotFound' }),
    )
  })

  it('accepts neither the token nor anything else as the secret of a session', async () => {
    const token = await invited()
    expect([await portal().visitor(token), await portal().enter('')]).toEqual([null, null])
    const secret = present(await portal().enter(token))
    expect([await portal().visitor(token), await portal().visitor(''), await portal().enter(secret)]).toEqual([
      null,
      null,
      null,
    ])
    const other = present(await portal().enter(await invited()))
    expect((await portal().visitor(secret))?.formToken).not.toBe((await portal().visitor(other))?.formToken)
  })

  it("shows a customer's own payments and proven wallets, and no personal data", async () => {
    const { id } = await shop.sell(undefined, { id: customerId, email: null, phone: null })
    await shop.pay(id, [units(10)])
    await shop.sell()
    const view = await done(portal().view({ ...shop.scope, customerId }, newest))
    expect(view).toEqual({
      merchant: 'A Shop',
      seller: { legalName: null, address: null, taxId: null, supportContact: null, logo: null },
      subscriptions: [],
      payments: [
        {
          id: expect.stringMatching(/^pay_/),
          amount: '10 USDC',
          amount_cents: 1000,
          currency_code: 'USD',
          status: 'confirmed',
          transaction_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
          receipt_url: expect.stringMatching(/^http:\/\/pay.test\/receipts\/pay_/),
          at: expect.any(String),
          subject: 'A book',
          purpose: 'sale',
          period: null,
        },
      ],
      // The wallet has paid, which proves nothing.
      wallets: [],
      canChangeEmail: true,
      more: newest,
    })
    expect(JSON.stringify(view)).not.toMatch(/Lovelace|shop.example/)
    const { wallets } = shop.billing
    const { transaction } = await done(wallets.start(now(), customerId, shop.payer.account))
    const wallet = await done(wallets.verify(now(), customerId, shop.payer.sign(transaction)))
    expect((await done(portal().view({ ...shop.scope, customerId }, newest))).wallets).toEqual([wallet])
  })

  it('shows twenty payments at a time, newest first, and each of them once', async () => {
    const hashes: Array<string> = []
    for (let number = 0; number < 43; number++) {
      const { id } = await shop.sell(undefined, { id: customerId, email: null, phone: null })
      hashes.unshift(
        shop.payer.pay({ to: shop.account, asset: shop.network.usdc.assetId, parts: [units(10)], memo: id }),
      )
    }
    await shop.step()
    const pages: Array<ReadonlyArray<string | null>> = []
    let payments: string | null = null
    do {
      const view: PortalView = await done(portal().view({ ...shop.scope, customerId }, { ...newest, payments }))
      pages.push(view.payments.map(({ transaction_hash }) => transaction_hash))
      payments = view.more.payments
    } while (payments !== null)
    expect(pages.map(({ length }) => length)).toEqual([20, 20, 3])
    expect(pages.flat()).toEqual(hashes)
  })

  describe('by the signature of a wallet', () => {
    const prove = async (customer: string, owner = shop.payer) => {
      const { transaction } = await done(shop.billing.wallets.start(now(), customer, owner.account))
      return done(shop.billing.wallets.verify(now(), customer, owner.sign(transaction)))
    }
    const signed = async (owner = shop.payer, context = now()) =>
      owner.sign((await done(portal().challenge(context, owner.account))).transaction)
    const opened = (transaction: string, customer: string | null = null, context = now()) =>
      portal().openByWallet(context, transaction, customer)
    const visitorBy = async (token: string) => portal().visitor(present(await portal().enter(token)))

    it('opens for the customer who has proven it, once, also for a repeated request', async () => {
      await prove(customerId)
      const [context, transaction] = [now(), await signed()]
      const session = await done(opened(transaction, null, context))
      expect(await done(opened(transaction, null, context))).toEqual(session)
      expect(await refused(opened(transaction))).toEqual({ _tag: 'ChallengeSpent' })
      expect(await visitorBy(session.token)).toMatchObject({ ...shop.scope, customerId })
    })

    it('opens for nobody by a wallet that has paid, was unlinked, or belongs to a deleted customer', async () => {
      const notFound = { _tag: 'CustomerNotFound' }
      const { id } = await shop.sell(undefined, { id: customerId, email: null, phone: null })
      await shop.pay(id, [units(10)])
      expect(await refused(opened(await signed()))).toEqual(notFound)
      const wallet = await prove(customerId)
      await done(opened(await signed()))
      await done(shop.billing.wallets.remove(now(), customerId, wallet.id))
      expect(await refused(opened(await signed()))).toEqual(notFound)
      await prove(customerId)
      await done(opened(await signed()))
      await done(shop.billing.customers.remove(now(), customerId))
      expect(await refused(opened(await signed()))).toEqual(notFound)
    })

    it('opens for the named one of several customers, and for no other customer', async () => {
      const made = await done(
        shop.billing.customers.createAll(now(), [someone('bob@shop.example'), someone('eve@shop.example')]),
      )
      const [bob, eve] = made.map(({ id }) => id)
      await prove(customerId)
      await prove(present(bob))
      const several = { _tag: 'WalletOfSeveral', customerIds: expect.arrayContaining([customerId, bob]) }
      expect(await refused(opened(await signed()))).toEqual(several)
      const { token } = await done(opened(await signed(), present(bob)))
      expect(await visitorBy(token)).toMatchObject({ customerId: bob })
      expect(await refused(opened(await signed(), present(eve)))).toEqual({ _tag: 'CustomerNotFound' })
    })

    it('opens by no challenge of another merchant or for another purpose, and by no other signature', async () => {
      await prove(customerId)
      const invalid = { _tag: 'ChallengeInvalid', cause: expect.any(String) }
      const elsewhere = command(shop.platform, 'mer_another')
      expect(await refused(opened(await signed(shop.payer, elsewhere)))).toEqual(invalid)
      expect(await refused(opened(await signed(), null, elsewhere))).toEqual(invalid)
      const { transaction } = await done(shop.billing.wallets.start(now(), customerId, shop.payer.account))
      expect(await refused(opened(shop.payer.sign(transaction)))).toEqual(invalid)
      expect(await refused(shop.billing.wallets.verify(now(), customerId, await signed()))).toEqual(invalid)
      const unsigned = (await done(portal().challenge(now(), shop.payer.account))).transaction
      expect(await refused(opened(shop.other.sign(unsigned)))).toMatchObject({ _tag: 'SignaturesInsufficient' })
    })
  })

  it('opens only for existing customers of the merchant, and closes when the customer is deleted', async () => {
    const secret = present(await portal().enter(await invited()))
    const visitor = present(await portal().visitor(secret))
    const elsewhere = command(shop.platform, 'mer_another')
    expect(await refused(portal().open(elsewhere, customerId))).toEqual({ _tag: 'CustomerNotFound' })
    await done(shop.billing.customers.remove(now(), customerId))
    expect(await refused(portal().open(now(), customerId))).toEqual({ _tag: 'CustomerNotFound' })
    expect(await refused(portal().view(visitor, newest))).toEqual({ _tag: 'CustomerNotFound' })
  })

  it('leads back to an https address, and to the machine of a developer in the testnet alone', () => {
    const shopUrl = decoded(HttpUrl, 'https://shop.example/')
    const own = decoded(HttpUrl, 'http://127.0.0.1:3001/')
    expect(allowedReturnUrl('mainnet', shopUrl)).toEqual(E.right(shopUrl))
    expect(allowedReturnUrl('testnet', own)).toEqual(E.right(own))
    expect(allowedReturnUrl('mainnet', own)).toEqual(E.left({ _tag: 'ReturnUrlNotAllowed' }))
  })

  it('deletes portal sessions once they have ended', async () => {
    const token = await invited()
    await shop.services.portalSessions.purge(timesOf(shop.services.clock))
    const secret = present(await portal().enter(token))
    shop.network.wait(61 * minuteMs)
    await shop.step()
    expect([await portal().enter(token), await portal().visitor(secret)]).toEqual([null, null])
  })
})
