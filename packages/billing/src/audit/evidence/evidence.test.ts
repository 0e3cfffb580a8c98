import { asText, hourMs, logInUse } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { type Club, openClub } from '../../testing/club.ts'
import { done, present, refused } from '../../testing/outcomes.ts'
import { wantedRefund } from '../../testing/refunds.ts'
import { command, someone } from '../../testing/shop.ts'
import { units, type Wallet } from '../../testing/wallets.ts'
import { type EvidenceKind, parseEvidence } from './format.ts'
import { policyOf, verifyEvidence } from './verify-evidence.ts'

const dayMs = 24 * hourMs
type Member = {
  readonly customer: string
  readonly subscription: string
  readonly payment: string
  readonly wallet: Wallet
}

describe('evidence', () => {
  let club: Club
  let [ada, grace]: ReadonlyArray<Member> = []
  const now = () => command(club.platform, club.merchantId)
  const customerOf = async (email: string) =>
    present((await done(club.billing.customers.createAll(now(), [someone(email)])))[0]).id

  /** A customer who buys a book, has it refunded, and joins the club. */
  const member = async (email: string, productId: string, funds: number): Promise<Member> => {
    const { billing } = club
    const customer = await customerOf(email)
    const wallet = await club.wallets.wallet(funds)
    const sale = await club.sell(undefined, { id: customer, email: null, phone: null })
    await club.pay(sale.id, [units(12)], { from: wallet })
    const payment = await club.payment(sale.id)
    await done(billing.refunds.request(now(), wantedRefund(payment)))
    const joined = await club.joinAs(productId, customer)
    await club.enrol(joined, wallet)
    return {
      customer,
      wallet,
      payment: payment.id,
      subscription: present((await club.checkout(joined)).subscription_id),
    }
  }

  beforeAll(async () => {
    club = await openClub()
    const productId = await club.club()
    ada = await member('ada@shop.example', productId, 40)
    grace = await member('grace@shop.example', productId, 41)
    // Both are charged for another month, in one transaction.
    for (const days of [0, 31, 1]) {
      await club.pass(days * dayMs)
      for (let ledgers = 0; ledgers < 6; ledgers++) await club.pass()
    }
  }, 300_000)
  afterAll(() => club.close())

  const gather = (kind: EvidenceKind, id: string) => done(club.billing.evidence(club.scope, kind, id))
  const verified = async (text: string) => {
    const vkeys = present(logInUse({ logs: await done(club.billing.transparency.logs) })).vkeys
    const policy = await done(async () => policyOf(vkeys, [], 0))
    return done(async () => verifyEvidence(text, policy))
  }
  const categoriesIn = (text: string): ReadonlyArray<string> => {
    const evidence = parseEvidence(text)
    if (E.isLeft(evidence)) throw new Error('What was gathered is evidence')
    return [...new Set(evidence.right.streams.map(({ stream }) => stream.slice(0, stream.indexOf('-'))))].sort()
  }
  const subjects = ({ customer, payment, subscription }: Member) =>
    [
      ['customer', customer],
      ['payment', payment],
      ['subscription', subscription],
    ] as const

  it('holds the streams that concern its subject, and verifies offline', async () => {
    const { customer, payment, subscription } = present(ada)
    const charged = ['checkout', 'customer', 'intent', 'payment', 'product']
    const of = await gather('subscription', subscription)
    expect(await verified(of)).toMatchObject({ about: { kind: 'subscription', id: subscription }, withheld: 0 })
    expect(categoriesIn(of)).toEqual([...charged, 'subscription'])
    expect(of.match(/"type":"ChargeConfirmed"/g)).toHaveLength(1)
    const paid = await gather('payment', payment)
    expect(await verified(paid)).toMatchObject({ about: { kind: 'payment', id: payment } })
    expect(categoriesIn(paid)).toEqual(expect.arrayContaining([...charged, 'refund', 'stellartx']))
    const all = await gather('customer', customer)
    expect(await verified(all)).toMatchObject({ about: { kind: 'customer', id: customer } })
    expect(categoriesIn(all)).toEqual(expect.arrayContaining([...charged, 'refund', 'stellartx', 'subscription']))
  })

  it('holds nothing of another customer of the same merchant and product', async () => {
    for (const [mine, other] of [
      [present(ada), present(grace)],
      [present(grace), present(ada)],
    ] as const) {
      const theirs = new Set((await gather('customer', other.customer)).match(/\b(chk|cus|int|inv|pay|rf|sub)_\w{22}/g))
      expect(theirs.size).toBeGreaterThan(6)
      for (const [kind, id] of subjects(mine)) {
        const text = await gather(kind, id)
        expect(
          [...theirs, other.wallet.account, 'grace@shop', 'ada@shop'].filter((each) => text.includes(each)),
        ).toEqual([])
      }
    }
  })

  it('is refused for what another merchant or environment has, or nobody', async () => {
    const { payment } = present(ada)
    const { billing, scope } = club
    const notFound = { _tag: 'PaymentNotFound' }
    expect(await refused(billing.evidence({ ...scope, merchantId: 'mer_other' }, 'payment', payment))).toEqual(notFound)
    expect(await refused(billing.evidence({ ...scope, environment: 'mainnet' }, 'payment', payment))).toEqual(notFound)
    expect(await refused(billing.evidence(scope, 'subscription', 'sub_none'))).toEqual({ _tag: 'SubscriptionNotFound' })
    expect(await refused(billing.evidence(scope, 'customer', payment))).toEqual({ _tag: 'CustomerNotFound' })
  })

  it('needs no new checkpoint while the latest one covers all of it', async () => {
    const { payment } = present(ada)
    const text = await gather('payment', payment)
    await customerOf('eve@shop.example')
    expect(await gather('payment', payment)).toBe(text)
  })

  it('gathers a hundred events in less than a second', async () => {
    const { customer } = present(ada)
    await gather('customer', customer)
    const before = process.cpuUsage()
    const { events } = await verified(await gather('customer', customer))
    const { user, system } = process.cpuUsage(before)
    expect(events).toBeGreaterThan(40)
    expect((user + system) / 1000 / events).toBeLessThan(10)
  })

  it('is of both ids of a customer who was merged', async () => {
    const { customer } = present(ada)
    const second = await customerOf('ada@home.example')
    await done(
      club.billing.customers.merge(now(), {
        from: second,
        into: customer,
        by: asText('Eve'),
        reason: asText('one person'),
      }),
    )
    for (const id of [customer, second]) {
      const text = await gather('customer', id)
      expect(await verified(text)).toMatchObject({ about: { id } })
      expect(text).toContain(`"stream":"customer-${customer}"`)
      expect(text).toContain(`"stream":"customer-${second}"`)
    }
  })

  it('made before an erasure still verifies, and after it holds the same events and none of the data in clear', async () => {
    const { customer, payment } = present(grace)
    const before = await Promise.all([gather('payment', payment), gather('customer', customer)])
    const profile = present(/"profile":("[^"]+")/.exec(before[0])?.[1])
    await done(club.billing.customers.remove(now(), customer))
    for (const text of before) expect(text).toContain(profile)
    for (const text of [...before, await gather('payment', payment), await gather('customer', customer)]) {
      expect(await verified(text)).toMatchObject({ withheld: 0 })
      expect(text).toContain(profile)
      expect(text).not.toContain('grace@shop')
    }
    expect(await gather('customer', customer)).toContain('"type":"CustomerDeleted"')
  })
})
