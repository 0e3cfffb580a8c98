import { AuthorizationId, CheckoutId, hourMs, InvoiceId, idTime, makeId, Reference, unixMs } from '@quittance/domain'
import { decoded, exampleId } from '@quittance/domain/testing'
import { payableReference } from '../../services/reference.ts'
import { type Club, openClub } from '../../testing/club.ts'
import { withoutReferences } from '../../testing/earlier-version.ts'
import { done, present } from '../../testing/outcomes.ts'
import { openPlatform } from '../../testing/platform.ts'
import { book, command, options } from '../../testing/shop.ts'
import { units, type Wallet } from '../../testing/wallets.ts'

const dayMs = 24 * hourMs

describe('a reference', () => {
  let club: Club
  beforeAll(async () => {
    club = await openClub()
  })
  afterAll(() => club.close())

  it('is another one for each environment and each kind of id, and always the same', async () => {
    const made = (environment: 'testnet' | 'mainnet', id: CheckoutId | InvoiceId | AuthorizationId) =>
      payableReference(club.services, environment, id)
    const ids = [exampleId(CheckoutId, 1), exampleId(InvoiceId, 1), exampleId(AuthorizationId, 1)]
    const all = (
      await Promise.all(ids.map(async (id) => [await made('testnet', id), await made('mainnet', id)]))
    ).flat()
    expect(new Set(all).size).toBe(6)
    expect(
      (await Promise.all(ids.map(async (id) => [await made('testnet', id), await made('mainnet', id)]))).flat(),
    ).toEqual(all)
    for (const reference of all) expect([Reference.is(reference), Buffer.byteLength(reference)]).toEqual([true, 24])
  })

  it('begins with the time of its id, so that new rows of the index lie side by side', async () => {
    const id = makeId(CheckoutId, unixMs(1_800_000_000_000), new Uint8Array(10))
    expect(idTime(await payableReference(club.services, 'testnet', id))).toBe(1_800_000_000_000)
  })

  it('names its session in the log, so that a process without the key finds it', async () => {
    const { id } = await club.sell()
    const { checkoutReferences } = await club.platform.shown()
    expect((await checkoutReferences.withId(await club.memoOf(id)))?.row).toEqual({ sessionId: id })
  })

  it('names a session that another process has opened', async () => {
    const other = await openPlatform(club.network, club.folder.path)
    const { id } = await done(
      other.billing.checkouts.createDirect(
        command(other, club.merchantId),
        { amount: '10', amountCents: null },
        'USDC',
        options(),
      ),
    )
    await other.close()
    await club.pay(id, [units(10)])
    expect(await club.checkout(id)).toMatchObject({ status: 'completed' })
  })
})

describe('what an earlier version has opened', () => {
  let club: Club
  let earlier: Awaited<ReturnType<typeof openPlatform>>
  beforeAll(async () => {
    club = await openClub()
    earlier = await openPlatform(club.network, club.folder.path, withoutReferences)
  })
  afterAll(async () => {
    await earlier.close()
    await club.close()
  })
  const order = () => command(earlier, club.merchantId)
  const opened = async (productId: string, email: string | null = null) => {
    const customer = options({ id: null, email, phone: null })
    const { id } = await done(earlier.billing.checkouts.createForProduct(order(), productId, customer))
    return decoded(CheckoutId, id)
  }
  const quote = (id: string) => done(club.billing.payer.quote(id))
  const usdcOf = async (wallet: Wallet) => {
    const view = await done(club.network.gateway.accountView(wallet.account, [club.network.usdc.assetId]))
    return present(present(view).trustlines[0]).balance
  }
  const shown = (id: string) => done(club.billing.subscriptions.retrieve(club.scope, id))

  it('a checkout is paid by its id as memo, directly and through the service', async () => {
    const { id: productId } = await done(earlier.billing.products.create(order(), book(club.network.usdc.assetId)))
    const [paid, relayed] = [await opened(productId), await opened(productId)]
    expect(await quote(paid)).toMatchObject({ checkout_id: paid, memo: paid })
    await club.pay(paid, [units(10)])
    const { transaction_xdr } = await done(club.billing.payer.transaction(relayed, club.payer.account))
    await done(club.billing.payer.submit(relayed, club.payer.sign(transaction_xdr)))
    await club.pass()
    for (const id of [paid, relayed]) expect(await club.checkout(id)).toMatchObject({ status: 'completed' })
    expect(await club.exceptions()).toEqual([])
  })

  it('a mandate, an invoice and a request for an authorization are found by their ids', async () => {
    const reader = await club.wallets.wallet(31)
    const id = await opened(await club.club(), 'reader@earlier.example')
    expect(await quote(id)).toMatchObject({ memo: id })
    await club.enrol(id, reader)
    const subscriptionId = present((await club.checkout(id)).subscription_id)

    const dearer = await club.club({ price: { amount: '25', amountCents: null } })
    const patch = { cancelAtPeriodEnd: null, metadata: undefined, productId: dearer }
    await done(earlier.billing.subscriptions.update(order(), subscriptionId, patch))
    const request = present((await shown(subscriptionId)).authorization.update_url).replace(/^.*\/pay\//, '')
    expect(await quote(request)).toMatchObject({ memo: request })
    const { transaction_xdr } = await done(club.billing.payer.transaction(request, reader.account))
    await done(club.billing.payer.submit(request, reader.sign(transaction_xdr)))
    await club.pass()
    expect(await shown(subscriptionId)).toMatchObject({ product_id: dearer, pending_update: null })

    const all = { to: club.other.account, asset: club.network.usdc.assetId, parts: [await usdcOf(reader)], memo: null }
    reader.pay(all)
    for (const days of [31, 1, 2, 2, 2, 3, 4, 4]) {
      club.network.wait(days * dayMs)
      for (let ledgers = 0; ledgers < 6; ledgers++) {
        club.network.wait(5_000)
        await done(earlier.worker.step)
      }
    }
    const invoice = present((await shown(subscriptionId)).invoice_url).replace(/^.*\/pay\//, '')
    expect(await quote(invoice)).toMatchObject({ memo: invoice, amount_due: '25' })
    await club.pay(invoice, [units(25)])
    expect(await shown(subscriptionId)).toMatchObject({ status: 'active' })
    expect((await done(club.billing.following.compare('testnet'))).comparison.differing).toBe(0)
  })
})
