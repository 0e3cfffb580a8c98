import { Checkout, hourMs, minuteMs, PaymentId } from '@quittance/domain'
import { exampleId } from '@quittance/domain/testing'
import { readEnvelope } from '@quittance/ledger'
import { execute } from '../kernel/execute.ts'
import { failingBump } from '../testing/failing-bump.ts'
import { passphrase } from '../testing/network.ts'
import { done, present, refused, right } from '../testing/outcomes.ts'
import { command } from '../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../testing/store-front.ts'
import { units } from '../testing/wallets.ts'
import { createWorker } from '../worker/worker.ts'

describe('a relayed transaction of a payer', () => {
  let shop: StoreFront
  beforeEach(async () => {
    shop = await openStoreFront()
  })
  afterEach(() => shop.close())
  const seconds = () => Math.floor(shop.network.now() / 1000)
  const signed = async (id: string, amount = 10, lifetimeSeconds = 300, from = shop.payer) => {
    const memo = await shop.memoOf(id)
    const sending = { to: shop.account, asset: shop.network.usdc.assetId, parts: [units(amount)], memo }
    return from.signedPayment(sending, seconds() + lifetimeSeconds)
  }
  const submit = (id: string, envelope: string) => done(shop.billing.payer.submit(id, envelope))
  const wait = async (ms: number): Promise<void> => {
    shop.network.wait(ms)
    await shop.step()
  }

  it('builds a transaction for the amount due, which completes the checkout', async () => {
    const { id } = await shop.sell()
    await shop.pay(id, [units(4)])
    const built = await done(shop.billing.payer.transaction(id, shop.other.account))
    const { transaction_hash } = await submit(id, shop.other.sign(built.transaction_xdr))
    expect(await shop.payment(id)).toMatchObject({ status: 'pending' })
    await wait(1000)
    expect(await shop.checkout(id)).toMatchObject({ status: 'completed' })
    expect(await shop.payment(id)).toMatchObject({ status: 'confirmed', amount: '10 USDC', transaction_hash })
  })

  it('keeps the payment of a relayed transaction pending until the ledger decides it', async () => {
    const { id } = await shop.sell()
    const { transaction_hash } = await submit(id, await signed(id))
    expect(await shop.checkout(id)).toMatchObject({ status: 'open', payment_id: (await shop.payment(id)).id })
    expect(await shop.payment(id)).toMatchObject({ status: 'pending', transaction_hash, transactions: [] })
  })

  it('resubmits a relayed transaction each time a node drops it silently', async () => {
    const { id } = await shop.sell()
    right(shop.network.sandbox.faults.set({ drop: { times: 2 } }))
    const { transaction_hash } = await submit(id, await signed(id))
    await wait(1000)
    expect(await shop.payment(id)).toMatchObject({ status: 'pending' })
    await wait(1000)
    await wait(1000)
    expect(await shop.payment(id)).toMatchObject({ status: 'confirmed', amount: '10 USDC', transaction_hash })
  })

  it('resubmits a relayed transaction once its hash is no longer banned after a bid that was too low', async () => {
    const { id } = await shop.sell()
    right(shop.network.sandbox.faults.set({ fee_surge: { base_fee: 100_000, accepts_less: true, for_ledgers: 5 } }))
    await submit(id, await signed(id))
    for (let ledgers = 0; ledgers < 14; ledgers += 1) await wait(5_600)
    expect(await shop.payment(id)).toMatchObject({ status: 'pending' })
    await wait(5_600)
    expect(await shop.payment(id)).toMatchObject({ status: 'confirmed', amount: '10 USDC' })
  })

  it('keeps a relayed transaction alive when the ledger lists it under the hash of a foreign fee bump', async () => {
    const { id } = await shop.sell()
    shop.network.faults.losesSubmissions = true
    const envelope = await signed(id, 4)
    const sent = await submit(id, envelope)
    shop.network.faults.losesSubmissions = false
    const bump = shop.other.bump(envelope)
    right(shop.network.sandbox.submit(bump.envelopeXdr))
    await wait(1000)
    await wait(hourMs)
    expect((await shop.payment(id)).transactions).toMatchObject([{ hash: bump.transactionHash, amount: '4 USDC' }])
    const { events } = await done(shop.services.store.readStream(`${Checkout.category}-${id}`))
    expect(events.map(({ type }) => type)).not.toContain('TransactionDied')
    await shop.pay(id, [units(6)])
    expect(await submit(id, envelope)).toEqual(sent)
    expect(await submit(id, bump.envelopeXdr)).toEqual({ transaction_hash: bump.transactionHash })
    expect(await shop.payments(id)).toMatchObject([{ status: 'confirmed', amount: '10 USDC' }])
  })

  it('fails the payment only once its relayed transaction is proven dead, and allows a new one then', async () => {
    const { id } = await shop.sell()
    shop.network.faults.losesSubmissions = true
    const maxTime = seconds() + 60
    await submit(id, await signed(id, 10, 60))
    await wait(1000)
    expect(await shop.payment(id)).toMatchObject({ status: 'pending' })
    expect(await shop.worker.nextDue()).toBe((maxTime + 1) * 1000)
    await wait(minuteMs)
    await wait(1000)
    expect(await shop.payment(id)).toMatchObject({ status: 'failed', failure_reason: 'transaction_dead' })
    expect(await shop.checkout(id)).toMatchObject({ status: 'open', payment_id: null })
    await shop.pay(id, [units(10)])
    const statuses = (await shop.payments(id)).map(({ status }) => status)
    expect([(await shop.checkout(id)).status, ...statuses]).toEqual(['completed', 'confirmed', 'failed'])
  })

  it('fails the payment as soon as a ledger reports its relayed transaction as failed, and allows a new one', async () => {
    const { id } = await shop.sell()
    await submit(id, await signed(id, 1_000_000, 3600))
    await wait(1000)
    expect(await shop.payment(id)).toMatchObject({ status: 'failed', failure_reason: 'transaction_dead' })
    await shop.pay(id, [units(10)])
    expect(await shop.checkout(id)).toMatchObject({ status: 'completed' })
  })

  it('keeps a relayed transaction alive when only its fee bump failed, and ends it after its time bounds', async () => {
    const known = present(shop.services.networks.testnet)
    const failedBump = failingBump(known.gateway, shop.other.account)
    const services = {
      ...shop.services,
      networks: { testnet: { ...known, gateway: failedBump.gateway }, mainnet: null },
    }
    const worker = present(createWorker(services, 'testnet', () => undefined))
    const pass = async (ms: number): Promise<void> => {
      shop.network.wait(ms)
      await done(worker.step)
    }
    shop.network.faults.losesSubmissions = true
    const [late, dead] = [(await shop.sell()).id, (await shop.sell()).id]
    const envelope = await signed(late, 10, 60)
    const sent = [await submit(late, envelope), await submit(dead, await signed(dead, 10, 60))]
    for (const { transaction_hash } of sent) failedBump.of(transaction_hash, shop.network.sandbox.clock().ledger)
    await pass(1000)
    for (const id of [late, dead]) expect(await shop.payment(id)).toMatchObject({ status: 'pending' })
    shop.network.faults.losesSubmissions = false
    right(shop.network.sandbox.submit(envelope))
    await pass(1000)
    expect(await shop.payment(late)).toMatchObject({ status: 'confirmed' })
    await pass(minuteMs)
    await pass(1000)
    expect(await shop.payment(dead)).toMatchObject({ status: 'failed', failure_reason: 'transaction_dead' })
  })

  it('accepts a relayed transaction again at any time, and never asks to build it anew', async () => {
    const { id } = await shop.sell()
    const part = await signed(id, 4)
    const first = await submit(id, part)
    expect(await submit(id, part)).toEqual(first)
    await wait(1000)
    expect(await submit(id, part)).toEqual(first)
    const rest = await signed(id, 6)
    right(shop.network.sandbox.submit(rest))
    shop.network.sandbox.close()
    const second = await submit(id, rest)
    await wait(1000)
    expect(await shop.checkout(id)).toMatchObject({ status: 'completed' })
    expect(await submit(id, rest)).toEqual(second)
    expect(await shop.payment(id)).toMatchObject({ status: 'confirmed', amount: '10 USDC', ...second })
    expect(await shop.exceptions()).toEqual([])
  })

  it('extends the deadline of a session until no ledger can include its relayed transaction', async () => {
    const { id } = await shop.sell()
    await wait(24 * hourMs - 2 * minuteMs)
    shop.network.faults.losesSubmissions = true
    await submit(id, await signed(id, 10, 300))
    await wait(3 * minuteMs)
    expect(await shop.checkout(id)).toMatchObject({ status: 'open' })
    expect(await shop.worker.nextDue()).toBeGreaterThan(shop.network.now())
    await wait(3 * minuteMs)
    expect(await shop.checkout(id)).toMatchObject({ status: 'expired' })
    expect(await shop.payment(id)).toMatchObject({ status: 'failed', failure_reason: 'transaction_dead' })
    expect(await shop.worker.nextDue()).toBeNull()
  })

  it('refuses a transaction that does not pay this checkout, has no near end, or comes after the deadline', async () => {
    const [one, other] = [await shop.sell(), await shop.sell()]
    expect(await refused(shop.billing.payer.submit(one.id, await signed(other.id)))).toEqual({
      _tag: 'NotAPaymentForThisCheckout',
    })
    expect(await refused(shop.billing.payer.submit(one.id, await signed(one.id, 10, 3601)))).toEqual({
      _tag: 'TimeBoundsUnfit',
      longestSeconds: 3600,
    })
    shop.network.wait(24 * hourMs)
    expect(await refused(shop.billing.payer.submit(one.id, await signed(one.id)))).toMatchObject({
      _tag: 'DeadlinePassed',
    })
    await shop.step()
    expect(await refused(shop.billing.payer.submit(one.id, await signed(one.id)))).toEqual({
      _tag: 'CheckoutNotOpen',
      status: 'expired',
    })
    expect(await shop.payments(one.id)).toEqual([])
  })

  it('matches a relayed transaction without a memo only by its hash', async () => {
    const [announced, silent] = [await shop.sell(), await shop.sell()]
    const unnamed = { to: shop.account, asset: shop.network.usdc.assetId, parts: [units(10)], memo: null }
    const envelope = shop.payer.signedPayment(unnamed, seconds() + 300)
    const { transactionHash, maxTime } = right(readEnvelope(envelope, passphrase))
    await done(
      execute(shop.services.store)(
        Checkout,
        announced.id,
        command(shop.platform, shop.merchantId),
        Checkout.decider.decide({
          type: 'SubmitTransaction',
          at: shop.network.now(),
          transactionHash,
          maxTime: maxTime ?? shop.network.now(),
          paymentId: exampleId(PaymentId, 1),
        }),
      ),
    )
    right(shop.network.sandbox.submit(envelope))
    await wait(1000)
    expect(await shop.checkout(announced.id)).toMatchObject({ status: 'completed' })
    expect(await shop.payment(announced.id)).toMatchObject({ status: 'confirmed', transaction_hash: transactionHash })
    shop.payer.pay(unnamed)
    await wait(1000)
    expect(await shop.checkout(silent.id)).toMatchObject({ status: 'open', payment_id: null })
    expect((await shop.exceptions()).map(({ kind }) => kind)).toEqual(['unmatched'])
  })

  it('records a relayed transaction once, even if it is submitted again', async () => {
    const { id } = await shop.sell()
    const envelope = await signed(id)
    await submit(id, envelope)
    const head = await shop.platform.logEnd()
    await submit(id, envelope)
    expect(await shop.platform.logEnd()).toEqual(head)
  })

  it('ends the pending payment by proof when the merchant has ended the session meanwhile', async () => {
    const { id } = await shop.sell()
    await submit(id, await signed(id, 1_000_000, 60))
    await done(shop.billing.checkouts.expire(command(shop.platform, shop.merchantId), id))
    expect(await shop.payment(id)).toMatchObject({ status: 'pending' })
    await wait(2 * minuteMs)
    await wait(1000)
    expect(await shop.checkout(id)).toMatchObject({ status: 'expired' })
    expect(await shop.payment(id)).toMatchObject({ status: 'failed', failure_reason: 'transaction_dead' })
  })
})
