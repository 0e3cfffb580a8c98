import { AccountId as Account, type AccountId, asText, hourMs } from '@quittance/domain'
import { decoded, exampleCredit } from '@quittance/domain/testing'
import { Keypair } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import type { ExceptionResource } from '../../resources/exception.ts'
import { exceptionsIn } from '../../testing/exceptions.ts'
import { done, present, refused } from '../../testing/outcomes.ts'
import { payoutsIn } from '../../testing/payouts.ts'
import { openPlatform } from '../../testing/platform.ts'
import { command, openShop, options } from '../../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { units, type Wallet } from '../../testing/wallets.ts'
import { openException } from '../payments/open-exception.ts'
import type { Resolution } from './resolve.ts'

const day = 24 * hourMs
const note = asText('as agreed')
const accept: Resolution = { action: 'accept', note }
const refund = (destination: AccountId | null = null): Resolution => ({
  action: 'refund',
  destination,
  mayNameAnyAddress: true,
  note,
})
const apply = ({ id }: { readonly id: string }): Resolution => ({ action: 'apply', checkoutId: id, note })

let front: StoreFront
let exceptions: ReturnType<typeof exceptionsIn>
let exchange: Wallet
beforeAll(async () => {
  front = await openStoreFront()
  exceptions = exceptionsIn(front)
  exchange = await front.wallets.wallet(71)
  exchange.requireMemo()
  await payoutsIn(front).destination(front.other)
})
afterAll(() => front.close())

/** Money that waits for a person: it cannot go back to who asks for memos. */
const waiting = async (amount = 10, asset = front.network.usdc.assetId): Promise<ExceptionResource> =>
  exceptions.of(await front.pay(null, [units(amount)], { from: exchange, asset }))
const wait = async (ms: number): Promise<void> => {
  front.network.wait(ms)
  await front.step()
}
const resolved = (action: string) => ({
  status: 'resolved',
  action,
  note,
  resolved_by: 'test',
  resolved_at: expect.any(String),
  decision_needed: null,
})

describe('returning the money of an exception by hand', () => {
  it('returns an exception to the named account, and keeps it open until a closed ledger holds the return', async () => {
    const exception = await waiting(3)
    const before = await exceptions.held(front.other.account)
    expect(await done(exceptions.resolve(exception, refund(front.other.account)))).toMatchObject({
      status: 'open',
      action: null,
      decision_needed: null,
      return_status: 'pending',
      return_address: front.other.account,
    })
    expect(await exceptions.settled(exception)).toMatchObject({ ...resolved('refund'), return_status: 'succeeded' })
    expect(await exceptions.held(front.other.account)).toBe(before + units(3))
  })

  it('returns an exception to its sender by default, once the sender can receive it', async () => {
    const full = await front.wallets.wallet(72)
    const hash = full.pay({ to: front.account, asset: front.network.usdc.assetId, parts: [units(3)], memo: null })
    full.limit(front.network.usdc.assetId, units(9_999))
    await front.step()
    const exception = await exceptions.of(hash)
    expect(await refused(exceptions.resolve(exception, refund()))).toEqual({ _tag: 'DestinationUnfit', reason: 'full' })
    full.limit(front.network.usdc.assetId, units(10_000))
    await done(exceptions.resolve(exception, refund()))
    expect(await exceptions.settled(exception)).toMatchObject({ ...resolved('refund'), return_address: full.account })
  })

  it('requires a destination when the sender is unknown', async () => {
    const origin = { kind: 'claimable_balance_claimed', fromMuxedId: null, fromContract: null, muxedId: null } as const
    const incoming = { ...exampleCredit, origin }
    const claimed = { kind: 'unmatched' as const, incoming, checkoutId: null, paymentId: null }
    const another = await openStoreFront()
    const its = exceptionsIn(another)
    await done(openException(another.services, another.scope, claimed))
    await another.step()
    const found = (await its.all()).find((each) => each.decision_needed === 'sender_unknown')
    expect(await refused(its.resolve({ id: found?.id ?? '' }, refund()))).toEqual({ _tag: 'SenderUnknown' })
    await another.close()
  })

  it.each([
    ['not_found', () => decoded(Account, Keypair.random().publicKey())],
    ['requires_memo', () => exchange.account],
    ['is_own', () => front.account],
  ] as const)('does not go where it would be lost: %s', async (reason, destination) => {
    const exception = await waiting(3)
    const end = await front.platform.logEnd()
    expect(await refused(exceptions.resolve(exception, refund(destination())))).toEqual({
      _tag: 'DestinationUnfit',
      reason,
    })
    expect(await front.platform.logEnd()).toEqual(end)
  })
})

describe('applying an exception to a checkout', () => {
  it('an applied exception completes its checkout like a payment with the memo, and books and ledger agree', async () => {
    const [exception, sale] = [await waiting(), await front.sell()]
    expect(await done(exceptions.resolve(exception, apply(sale)))).toMatchObject({
      ...resolved('apply'),
      applied_to: sale.id,
    })
    const payment = await front.payment(sale.id)
    expect(await front.checkout(sale.id)).toMatchObject({ status: 'completed', payment_id: payment.id })
    expect(payment).toMatchObject({ status: 'confirmed', amount: '10 USDC' })
    expect(payment.transactions).toMatchObject([{ hash: exception.transaction_hash, from: exchange.account }])
    await front.step()
    const { comparison } = await done(front.billing.following.compare('testnet'))
    expect(comparison.differing).toBe(0)
  })

  it('an applied exception counts towards the price, and an excess becomes its own exception', async () => {
    const [part, rest, sale] = [await waiting(4), await waiting(8), await front.sell()]
    await done(exceptions.resolve(part, apply(sale)))
    expect(await front.checkout(sale.id)).toMatchObject({ status: 'open' })
    expect(await front.payment(sale.id)).toMatchObject({ status: 'pending', amount: '4 USDC' })
    await done(exceptions.resolve(rest, apply(sale)))
    expect(await front.payment(sale.id)).toMatchObject({ status: 'confirmed', amount: '10 USDC' })
    await front.step()
    const excess = (await exceptions.all()).find((each) => each.applied_from === rest.id)
    expect(excess).toMatchObject({
      kind: 'overpaid',
      amount: '2 USDC',
      checkout_id: sale.id,
      decision_needed: 'destination_requires_memo',
    })
    expect(await refused(exceptions.resolve({ id: excess?.id ?? '' }, apply(await front.sell())))).toEqual({
      _tag: 'NotApplicable',
      kind: 'overpaid',
    })
  })

  it('applied money becomes an exception again each time its checkout fails', async () => {
    let exception = await waiting(4)
    for (let times = 0; times < 2; times++) {
      const sale = await front.sell()
      const applied = await done(exceptions.resolve(exception, apply(sale)))
      await wait(day + 1000)
      expect(await front.checkout(sale.id)).toMatchObject({ status: 'failed', failure_reason: 'underpaid' })
      expect(await exceptions.known(exception)).toEqual(applied)
      exception = present((await exceptions.all()).find((each) => each.applied_from === exception.id))
      expect(exception).toMatchObject({ kind: 'underpaid', status: 'open', amount: '4 USDC', checkout_id: sale.id })
    }
    const { comparison } = await done(front.billing.following.compare('testnet'))
    expect(comparison.differing).toBe(0)
  })

  it('an applied exception completes an expired session if it covers the price and came at most a day late', async () => {
    const sale = await front.sell()
    await wait(day + 1000)
    const [short, enough] = [await waiting(9), await waiting()]
    await wait(3 * day)
    expect(await refused(exceptions.resolve(short, apply(sale)))).toEqual({ _tag: 'CreditDoesNotFit', reason: 'late' })
    expect(await done(exceptions.resolve(enough, apply(sale)))).toMatchObject(resolved('apply'))
    expect(await front.checkout(sale.id)).toMatchObject({ status: 'completed', late: true })
    const tooLate = await front.sell()
    await wait(2 * day + 1000)
    const last = await waiting()
    expect(await refused(exceptions.resolve(last, apply(tooLate)))).toEqual({
      _tag: 'CreditDoesNotFit',
      reason: 'late',
    })
  })

  it('a checkout that cannot take an exception rejects it, and nothing is written', async () => {
    const [paid, failed] = [await front.sell(), await front.sell()]
    await front.pay(paid.id, [units(10)])
    await front.pay(failed.id, [units(1)])
    const part = await front.pay(failed.id, [units(2)], { from: exchange })
    await wait(day + 1000)
    await wait(1000)
    const [exception, euros] = [await waiting(), await waiting(10, front.network.eurc.assetId)]
    const second = await openShop(front.platform)
    const price = { amount: '10', amountCents: null }
    const stranger = command(front.platform, second)
    const foreign = await done(front.billing.checkouts.createDirect(stranger, price, 'USDC', options()))
    const end = await front.platform.logEnd()
    const outcomes = [
      await refused(exceptions.resolve(exception, apply(paid))),
      await refused(exceptions.resolve(exception, apply(failed))),
      await refused(exceptions.resolve(await exceptions.of(part), apply(failed))),
      await refused(exceptions.resolve(euros, apply(paid))),
      await refused(exceptions.resolve(exception, apply(foreign))),
      await refused(exceptions.resolve(exception, apply({ id: 'chk_0000000000000000000000' }))),
    ]
    expect(outcomes).toEqual([
      { _tag: 'CreditDoesNotFit', reason: 'paid_twice' },
      { _tag: 'CreditDoesNotFit', reason: 'after_failure' },
      { _tag: 'CreditDoesNotFit', reason: 'after_failure' },
      { _tag: 'CreditDoesNotFit', reason: 'wrong_asset' },
      { _tag: 'CheckoutNotFound' },
      { _tag: 'CheckoutNotFound' },
    ])
    expect(await front.platform.logEnd()).toEqual(end)
  })
})

describe('accepting an exception', () => {
  it('an accepted exception is resolved with a note', async () => {
    const exception = await waiting(3)
    expect(await done(exceptions.resolve(exception, accept))).toMatchObject(resolved('accept'))
    await front.platform.shown()
    const page = { ...front.scope, limit: 100 }
    const ids = async (status: string) =>
      (await front.billing.exceptions.list({ ...page, status }, 'unmatched')()).resources.map(({ id }) => id)
    expect([(await ids('open')).includes(exception.id), (await ids('resolved')).includes(exception.id)]).toEqual([
      false,
      true,
    ])
    expect((await front.billing.exceptions.list(page, 'paid_twice')()).resources).toEqual([])
  })
})

describe('a decision about an exception', () => {
  it('rejects a second decision on an exception that is resolved or being returned', async () => {
    const [kept, returning, sale] = [await waiting(3), await waiting(3), await front.sell()]
    await done(exceptions.resolve(kept, accept))
    await done(exceptions.resolve(returning, refund(front.other.account)))
    for (const other of [accept, refund(front.other.account), apply(sale)]) {
      expect(await refused(exceptions.resolve(kept, other))).toEqual({ _tag: 'ExceptionIsResolved', action: 'accept' })
      expect(await refused(exceptions.resolve(returning, other))).toMatchObject({ _tag: 'ReturnUnderWay' })
    }
  })

  it('a repeated decision gets the same answer and writes nothing, whatever has happened since', async () => {
    for (const wanted of [accept, refund(front.other.account), apply(await front.sell())]) {
      const [exception, context] = [await waiting(), exceptions.now()]
      const first = await done(exceptions.resolve(exception, wanted, context))
      await exceptions.settled(exception)
      const end = await front.platform.logEnd()
      expect(await done(exceptions.resolve(exception, wanted, context))).toEqual(first)
      expect(await front.platform.logEnd()).toEqual(end)
    }
  })

  it('accepts one of many concurrent decisions on two servers', async () => {
    const [exception, sale] = [await waiting(), await front.sell()]
    const second = await openPlatform(front.network, front.folder.path)
    const wanted = [accept, refund(front.other.account), apply(sale)]
    const outcomes = await Promise.all(
      [front.platform, second].flatMap((platform) =>
        wanted.map((each) => platform.billing.exceptions.resolve(exceptions.now(platform), exception.id, each)()),
      ),
    )
    await second.close()
    expect(outcomes.filter(E.isRight)).toHaveLength(1)
    const ended = await exceptions.settled(exception)
    const isApplied = (await front.checkout(sale.id)).status === 'completed'
    expect(isApplied).toBe(ended.action === 'apply')
    expect(await exceptions.intentsOf(exception)).toHaveLength(ended.action === 'refund' ? 1 : 0)
  })

  it('only the merchant can decide an exception', async () => {
    const exception = await waiting(3)
    const other = { ...exceptions.now(), merchantId: 'mer_other' }
    for (const wanted of [accept, refund(front.other.account), apply(await front.sell())])
      expect(await refused(exceptions.resolve(exception, wanted, other))).toEqual({ _tag: 'ExceptionNotFound' })
    const mainnet = { ...exceptions.now(), environment: 'mainnet' as const }
    expect(await refused(exceptions.resolve(exception, accept, mainnet))).toEqual({ _tag: 'ExceptionNotFound' })
  })
})
