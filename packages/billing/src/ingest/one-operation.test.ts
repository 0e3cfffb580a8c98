import { IncomingPaymentOrdinal, LedgerSequence, OperationIndex, stroops } from '@quittance/domain'
import { decoded, hashOf } from '@quittance/domain/testing'
import type { IncomingPayment } from '@quittance/ledger'
import { done } from '../testing/outcomes.ts'
import { command, someone } from '../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../testing/store-front.ts'
import { units, type Wallet } from '../testing/wallets.ts'
import { receiveIncomingPayments } from './incoming-payments.ts'

describe('operations with several incoming payments, as in contract calls', () => {
  let shop: StoreFront
  beforeEach(async () => {
    shop = await openStoreFront()
  })
  afterEach(() => shop.close())

  /** What one call brought to a checkout, in the order of its credits. */
  const call = (memo: string, paid: ReadonlyArray<readonly [Wallet, number]>): ReadonlyArray<IncomingPayment> =>
    paid.map(([{ account }, amount], place) => ({
      kind: 'contract_transfer',
      transactionHash: hashOf(7),
      operationIndex: decoded(OperationIndex, 0),
      ...(place === 0 ? {} : { ordinal: decoded(IncomingPaymentOrdinal, place) }),
      ledger: decoded(LedgerSequence, shop.network.sandbox.clock().ledger),
      closedAt: shop.network.now(),
      from: account,
      fromMuxedId: null,
      fromContract: null,
      destination: shop.account,
      muxedId: null,
      assetId: shop.network.usdc.assetId,
      amount: stroops(units(amount)),
      memo: { _tag: 'text', value: memo },
    }))
  const receive = async (credits: ReadonlyArray<IncomingPayment>) => {
    for (const credit of credits) await done(() => receiveIncomingPayments(shop.services, shop.scope, [credit]))
  }
  const sell = async () => {
    const [customer] = await done(
      shop.billing.customers.createAll(command(shop.platform, shop.merchantId), [someone('ada@example.org')]),
    )
    return shop.sell(shop.network.usdc.assetId, { id: customer?.id ?? null, email: null, phone: null })
  }

  it('completes a checkout by the incoming payment that covers the price, and returns later ones of the same operation', async () => {
    const { id } = await sell()
    const [payer, other] = [shop.payer, shop.other]
    await receive(
      call(id, [
        [payer, 4],
        [other, 6],
        [payer, 5],
        [payer, 2],
      ]),
    )
    const payment = await shop.payment(id)
    expect(payment).toMatchObject({ status: 'confirmed', amount: '10 USDC' })
    expect(payment.transactions.map(({ amount }) => amount)).toEqual(['4 USDC', '6 USDC'])
    const { payments, customers } = await shop.platform.shown()
    expect((await payments.all()).map(({ row }) => row.status === 'confirmed' && row.confirmation.payer)).toEqual([
      other.account,
    ])
    // Two have paid: neither is known to be the customer.
    expect((await customers.all()).flatMap(({ row }) => row.wallets)).toEqual([])
    const tooMuch = (await shop.exceptions()).map(({ kind, ordinal = 0, amount }) => ({ kind, ordinal, amount }))
    expect(tooMuch.sort((one, another) => one.ordinal - another.ordinal)).toEqual([
      { kind: 'paid_twice', ordinal: 2, amount: units(5) },
      { kind: 'paid_twice', ordinal: 3, amount: units(2) },
    ])
  })

  it('returns the excess of an operation to its payer once, even if the ledger is ingested again', async () => {
    const { id } = await sell()
    const credits = call(id, [
      [shop.payer, 4],
      [shop.other, 20],
    ])
    await receive(credits)
    const head = await shop.platform.logEnd()
    await receive(credits)
    expect(await shop.platform.logEnd()).toEqual(head)
    expect(
      (await shop.exceptions()).map(({ kind, ordinal, amount, from }) => ({ kind, ordinal, amount, from })),
    ).toEqual([{ kind: 'overpaid', ordinal: 1, amount: units(14), from: shop.other.account }])
  })
})
