import { hourMs } from '@quittance/domain'
import { type Club, openClub } from '../../testing/club.ts'
import { beforeAppending, dyingAfter } from '../../testing/failing-stores.ts'
import { done, present } from '../../testing/outcomes.ts'
import { payoutsIn } from '../../testing/payouts.ts'
import { openPlatform } from '../../testing/platform.ts'
import { survived } from '../../testing/refunds.ts'
import { command } from '../../testing/shop.ts'
import { provenLog } from '../../testing/stores.ts'
import { units, type Wallet } from '../../testing/wallets.ts'

const dayMs = 24 * hourMs
const mostAppends = 20

describe('a worker that dies while an invoice is paid', () => {
  let club: Club
  let people = 0
  beforeAll(async () => {
    club = await openClub()
  })
  afterAll(() => club.close())

  const typesOf = async (stream: string) =>
    (await done(club.platform.log.readStream(stream))).events.map(({ type }) => type)

  /** Those who owe a period since their wallet was empty: the ids of their subscriptions and invoices. */
  const overdue = async (owing: number) => {
    const productId = await club.club()
    const subscriptions: Array<string> = []
    for (let each = 0; each < owing; each++) {
      const reader = await club.wallets.wallet(180 + ++people)
      const id = await club.join(productId, `o${people}@crash.example`)
      await club.enrol(id, reader)
      const { trustlines } = present(
        await done(club.network.gateway.accountView(reader.account, [club.network.usdc.assetId])),
      )
      const parts = [present(trustlines[0]).spendable]
      reader.pay({ to: club.other.account, asset: club.network.usdc.assetId, parts, memo: null })
      subscriptions.push(present((await club.checkout(id)).subscription_id))
    }
    for (const days of [31, 1, 2, 2, 2, 3, 4, 4]) {
      await club.pass(days * dayMs)
      for (let ledgers = 0; ledgers < 6; ledgers++) await club.pass()
    }
    return Promise.all(
      subscriptions.map(async (id) => {
        const { invoice_url } = await done(club.billing.subscriptions.retrieve(club.scope, id))
        return { id, invoice: present(invoice_url).replace(/^.*\/pay\//, '') }
      }),
    )
  }

  it('another worker completes an invoice after a crash at any append: one payment, one settled invoice, one end', async () => {
    let deaths = 0
    for (const { id, invoice } of await overdue(mostAppends)) {
      const asset = club.network.usdc.assetId
      club.payer.pay({ to: club.account, asset, parts: [units(4), units(6)], memo: invoice })
      const dying = await openPlatform(club.network, club.folder.path, dyingAfter(deaths + 1))
      const lived = await survived(done(dying.worker.step))
      await dying.close()
      await club.step()
      const { status, payment_id } = await done(club.billing.payer.status(invoice))
      expect(status).toBe('completed')
      expect(await typesOf(`payment-${payment_id}`)).toEqual([
        'PaymentOpened',
        'PaymentCredited',
        'PaymentCredited',
        'PaymentConfirmed',
      ])
      const settled = (await typesOf(`subscription-${id}`)).filter((type) => type === 'InvoiceSettled')
      expect(settled).toHaveLength(1)
      expect((await done(club.billing.subscriptions.retrieve(club.scope, id))).status).toBe('active')
      if (lived) break
      deaths += 1
    }
    // Both parts in one append, the payment, the subscription, the end.
    expect(deaths).toBeGreaterThanOrEqual(4)
    expect(deaths).toBeLessThan(mostAppends)
    expect(await club.exceptions()).toEqual([])
    expect(await provenLog(club.folder.path)).toMatchObject({ ok: true })
  })

  const balanceOf = async (wallet: Wallet) =>
    present(
      present(await done(club.network.gateway.accountView(wallet.account, [club.network.usdc.assetId]))).trustlines[0],
    ).balance
  /** Pays an invoice; it is canceled, and the payment refunded, right before the worker tells the subscription. */
  const canceledAndRefunded = async (destination: Wallet | null, meanwhile: () => void) => {
    const { id, invoice } = present((await overdue(1))[0])
    const before = await balanceOf(club.payer)
    club.payer.pay({ to: club.account, asset: club.network.usdc.assetId, parts: [units(10)], memo: invoice })
    const order = () => command(club.platform, club.merchantId)
    const interrupt = async () => {
      await done(club.billing.subscriptions.cancel(order(), id, 'now'))
      const paymentId = present((await done(club.billing.payer.status(invoice))).payment_id)
      const refund = { paymentId, reason: null, destination: destination?.account ?? null, metadata: {} }
      await done(club.billing.refunds.request(order(), refund))
      meanwhile()
    }
    const slow = await openPlatform(club.network, club.folder.path, beforeAppending('InvoiceSettled', interrupt))
    await done(slow.worker.step)
    await slow.close()
    for (let ledgers = 0; ledgers < 12; ledgers++) await club.pass()
    expect((await typesOf(`subscription-${id}`)).filter((type) => type === 'PaymentSetAside')).toHaveLength(1)
    return { before }
  }

  it('an unapplied payment goes back once when its refund is faster', async () => {
    const { before } = await canceledAndRefunded(null, () => undefined)
    expect(await balanceOf(club.payer)).toBe(before)
    expect(await club.exceptions()).toEqual([])
  })
  it('an unapplied payment is returned automatically once its refund fails', async () => {
    const gone = await club.wallets.bareWallet(230)
    gone.trust(club.network.usdc.assetId)
    await payoutsIn(club).destination(gone)
    const { before } = await canceledAndRefunded(gone, () => gone.limit(club.network.usdc.assetId, units(0)))
    expect(await balanceOf(club.payer)).toBe(before)
    expect((await club.exceptions()).map(({ kind, amount }) => ({ kind, amount }))).toEqual([
      { kind: 'paid_twice', amount: units(10) },
    ])
  })
})
