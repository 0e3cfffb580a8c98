import { AccountId } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { keyPairFromSeed } from '@quittance/ledger'
import { readStellarToml } from '@quittance/ledger/testing/wallet'
import { Keypair, Transaction, TransactionBuilder } from '@stellar/stellar-sdk'
import { createBilling } from '../../face/billing.ts'
import { clubIn } from '../../testing/club.ts'
import { passphrase } from '../../testing/network.ts'
import { done, present, refused, right } from '../../testing/outcomes.ts'
import { command, someone } from '../../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { units } from '../../testing/wallets.ts'

describe('the proof that a wallet is a customer’s', () => {
  let shop: StoreFront
  let customerId: string
  beforeEach(async () => {
    shop = await openStoreFront()
    customerId = await newCustomer('ada@shop.example')
  })
  afterEach(() => shop.close())

  const wallets = () => shop.billing.wallets
  const now = () => command(shop.platform, shop.merchantId)
  const newCustomer = async (email: string) => {
    const [customer] = await done(shop.billing.customers.createAll(now(), [someone(email)]))
    return present(customer).id
  }
  const challenged = async (address = shop.payer.account, customer = customerId) =>
    (await done(wallets().start(now(), customer, address))).transaction
  const walletsOf = async (customer: string) =>
    (await done(shop.billing.customers.retrieve(shop.scope, customer))).wallets

  it('links a wallet once its owner has signed, and shows it with the customer', async () => {
    const { transaction, network_passphrase } = await done(wallets().start(now(), customerId, shop.payer.account))
    const wallet = await done(wallets().verify(now(), customerId, shop.payer.sign(transaction)))
    expect(network_passphrase).toBe(passphrase)
    const published = right(readStellarToml(await done(shop.billing.stellarToml)))
    const { source } = new Transaction(transaction, network_passphrase)
    expect([source, await shop.services.vault.signings.of(decoded(AccountId, source))]).toEqual([
      published.signingKey,
      [expect.objectContaining({ key: 'wallet-proofs/testnet', purpose: 'transaction', actor: 'test' })],
    ])
    expect(wallet).toEqual({
      id: expect.stringMatching(/^cwl_/),
      address: shop.payer.account,
      via: 'proven',
      metadata: {},
      created_at: expect.any(String),
    })
    expect(await walletsOf(customerId)).toEqual([wallet])
  })

  it('returns the same challenge and wallet for a repeated request, even when expired or after a crash', async () => {
    const [starting, verifying] = [now(), now()]
    const first = await done(wallets().start(starting, customerId, shop.payer.account))
    expect(await done(wallets().start(starting, customerId, shop.payer.account))).toEqual(first)
    const signed = shop.payer.sign(first.transaction)
    const crashing = createBilling({
      ...shop.services,
      store: {
        ...shop.services.store,
        append: () => async () => {
          throw new Error('a crash')
        },
      },
    })
    await expect(crashing.wallets.verify(verifying, customerId, signed)()).rejects.toThrow('a crash')
    const wallet = await done(wallets().verify(verifying, customerId, signed))
    expect(await done(wallets().verify(verifying, customerId, signed))).toEqual(wallet)
    expect(await walletsOf(customerId)).toEqual([wallet])
  })

  it('accepts each challenge once, so that an intercepted one links nothing', async () => {
    const signed = shop.payer.sign(await challenged())
    const { id } = await done(wallets().verify(now(), customerId, signed))
    await done(wallets().remove(now(), customerId, id))
    expect(await refused(wallets().verify(now(), customerId, signed))).toEqual({ _tag: 'ChallengeSpent' })
    expect(await walletsOf(customerId)).toEqual([])
  })

  it('accepts one of two concurrent responses to the same challenge', async () => {
    const signed = shop.payer.sign(await challenged())
    const answers = await Promise.all([1, 2, 3].map(() => wallets().verify(now(), customerId, signed)()))
    expect(answers.map(({ _tag }) => _tag).sort()).toEqual(['Left', 'Left', 'Right'])
    expect(await walletsOf(customerId)).toHaveLength(1)
  })

  it('rejects a challenge of another customer, an unknown one, and an unsigned one', async () => {
    const other = await newCustomer('bob@shop.example')
    const signed = shop.payer.sign(await challenged(shop.payer.account, other))
    const invalid = { _tag: 'ChallengeInvalid', cause: expect.any(String) }
    const insufficient = { _tag: 'SignaturesInsufficient', cause: expect.any(String) }
    expect(await refused(wallets().verify(now(), customerId, signed))).toEqual(invalid)
    expect(await refused(wallets().verify(now(), customerId, 'nothing'))).toEqual(invalid)
    expect(await refused(wallets().verify(now(), customerId, await challenged()))).toEqual(insufficient)
    const byAnother = shop.other.sign(await challenged())
    expect(await refused(wallets().verify(now(), customerId, byAnother))).toEqual(insufficient)
    expect([await walletsOf(customerId), await walletsOf(other)]).toEqual([[], []])
  })

  it('accepts the master key of an account that does not exist yet', async () => {
    const { accountId, secret } = keyPairFromSeed(new Uint8Array(32).fill(200))
    const transaction = TransactionBuilder.fromXdr(await challenged(decoded(AccountId, accountId)), passphrase)
    transaction.sign(Keypair.fromSecret(secret))
    const { address } = await done(wallets().verify(now(), customerId, transaction.toXdr()))
    expect(address).toBe(accountId)
  })

  it('keeps the id of a wallet that has paid, and links an address to several customers', async () => {
    const { id } = await shop.sell(undefined, { id: customerId, email: null, phone: null })
    await shop.pay(id, [units(10)])
    const [paid] = await walletsOf(customerId)
    expect(paid).toMatchObject({ via: 'payment' })
    const proven = { ...present(paid), via: 'proven' }
    expect(await done(wallets().verify(now(), customerId, shop.payer.sign(await challenged())))).toEqual(proven)
    expect(await walletsOf(customerId)).toEqual([proven])
    const other = await newCustomer('bob@shop.example')
    const shared = await done(
      wallets().verify(now(), other, shop.payer.sign(await challenged(shop.payer.account, other))),
    )
    expect(shared).toMatchObject({ address: present(paid).address })
    expect(shared.id).not.toBe(present(paid).id)
  })

  it('links no wallet to a customer who was named by an email alone, at the checkout or by the payer', async () => {
    const byMerchant = await shop.sell(undefined, { id: null, email: 'ada@shop.example', phone: null })
    const byPayer = await shop.sell()
    const details = { email: 'ada@shop.example', name: null, phone: null }
    await done(shop.billing.payer.attachCustomer(byPayer.id, details))
    for (const { id } of [byMerchant, byPayer]) {
      await shop.pay(id, [units(10)])
      expect(await shop.payment(id)).toMatchObject({
        customer_id: customerId,
        payment_method_details: { id: expect.stringMatching(/^cwl_/), address: shop.payer.account },
      })
    }
    expect(await walletsOf(customerId)).toEqual([])
    const wallet = await done(wallets().verify(now(), customerId, shop.payer.sign(await challenged())))
    const again = await shop.sell(undefined, { id: null, email: 'ada@shop.example', phone: null })
    await shop.pay(again.id, [units(10)])
    expect((await shop.payment(again.id)).payment_method_details?.id).toBe(wallet.id)
  })

  it('keeps a wallet that a subscription of the customer is charged to, until another wallet is or it has ended', async () => {
    const club = clubIn(shop)
    const remove = async (address: string) => {
      const { id } = present((await walletsOf(customerId)).find((each) => each.address === address))
      return wallets().remove(now(), customerId, id)
    }
    for (const owner of [shop.payer, shop.other])
      await done(wallets().verify(now(), customerId, owner.sign(await challenged(owner.account))))
    const session = await club.joinAs(await club.club(), customerId)
    await club.enrol(session, shop.payer)
    const subscriptionId = present((await club.checkout(session)).subscription_id)
    const inUse = { _tag: 'WalletInUse', subscriptionId }
    expect(await refused(await remove(shop.payer.account))).toEqual(inUse)
    const { authorization } = await done(shop.billing.subscriptions.changeWallet(now(), subscriptionId))
    const request = present(authorization.update_url).replace(/^.*\/pay\//, '')
    expect(await refused(await remove(shop.payer.account))).toEqual(inUse)
    await club.enrol(request, shop.other)
    expect(await refused(await remove(shop.other.account))).toEqual(inUse)
    await done(await remove(shop.payer.account))
    await done(shop.billing.subscriptions.cancel(now(), subscriptionId, 'now'))
    await done(await remove(shop.other.account))
    expect(await walletsOf(customerId)).toEqual([])
  })

  it('deletes a wallet that others’ subscriptions are charged to', async () => {
    const club = clubIn(shop)
    const session = await club.join(await club.club(), 'bob@shop.example')
    await club.enrol(session, shop.payer)
    const { id } = await done(wallets().verify(now(), customerId, shop.payer.sign(await challenged())))
    await done(wallets().remove(now(), customerId, id))
    expect(await walletsOf(customerId)).toEqual([])
  })

  it('rejects a proof for a customer that is deleted or of another merchant', async () => {
    const gone = await newCustomer('gone@shop.example')
    await done(shop.billing.customers.remove(now(), gone))
    const { account } = shop.payer
    const elsewhere = command(shop.platform, 'mer_another')
    for (const [context, customer] of [
      [now(), gone],
      [now(), 'cus_nobody'],
      [elsewhere, customerId],
    ] as const) {
      const notFound = { _tag: 'CustomerNotFound' }
      expect(await refused(wallets().start(context, customer, account))).toEqual(notFound)
      expect(await refused(wallets().verify(context, customer, ''))).toEqual(notFound)
      expect(await refused(wallets().remove(context, customer, 'cwl_nobody'))).toEqual(notFound)
    }
    expect(await refused(wallets().remove(now(), customerId, 'cwl_nobody'))).toEqual({ _tag: 'NoSuchWallet' })
  })
})
