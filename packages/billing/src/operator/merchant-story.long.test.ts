import { asText, count, dayMs, LedgerSequence, minuteMs } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { Asset, Keypair, Operation } from '@stellar/stellar-sdk'
import { reconcile } from '../books/reconciliation/reconcile.ts'
import { type Club, openClub } from '../testing/club.ts'
import { done, present, refused } from '../testing/outcomes.ts'
import { payoutsIn } from '../testing/payouts.ts'
import { refundsIn } from '../testing/refunds.ts'
import { command } from '../testing/shop.ts'
import { units } from '../testing/wallets.ts'

const by = asText('Ada')

describe('a merchant of two years: opened, key stolen, frozen, rotated, unfrozen, closed', () => {
  let club: Club
  beforeAll(async () => {
    club = await openClub()
  })
  afterAll(() => club.close())

  const ledgers = async (passed = 6): Promise<void> => {
    for (let ledger = 0; ledger < passed; ledger++) await club.pass()
  }
  const subscription = (id: string) => done(club.billing.subscriptions.retrieve(club.scope, id))
  const covered = async (id: string) => {
    const state = await club.subscription(id)
    if (state.status === 'absent') throw new Error(`${id} is absent`)
    return state.covered
  }
  /** The customer signs again where the approval runs out. */
  const approve = async (id: string): Promise<void> => {
    const { authorization } = await subscription(id)
    if (authorization.update_reason !== 'expiring') return
    const request = present(authorization.update_url).replace(/^.*\/pay\//, '')
    const { transaction_xdr } = await done(club.billing.payer.transaction(request, club.payer.account))
    await done(club.billing.payer.submit(request, club.payer.sign(transaction_xdr)))
  }
  /** Months go by until the beginning of each next period. */
  const months = async (id: string, passed: number): Promise<void> => {
    for (let month = 0; month < passed; month++) {
      await club.pass((await covered(id)).period.end - club.network.now() + minuteMs)
      await ledgers()
      await approve(id)
      await ledgers(2)
    }
  }
  const frozen = (scope: 'charges' | 'payouts') => ({
    ...{ scope, merchantId: club.merchantId },
    ...{ by, reason: asText('a key was stolen') },
  })
  const settlement = () => ({ _tag: 'settlement' as const, merchantId: club.merchantId })
  const keys = async () => present((await done(club.billing.accountKeys.show('testnet', settlement())))[0])
  const rotate = async () => {
    await done(club.billing.accountKeys.rotate('testnet', settlement()))
    await ledgers()
  }
  /** Whoever holds the first key of the account tries to take a lumen. */
  const steal = async () => {
    const { account, other, wallets, network } = club
    const taken = { source: account, destination: other.account, asset: Asset.native(), amount: '1' }
    const thief = Keypair.fromSecret(await club.seedOf(club.merchantId))
    return network.gateway.submit(wallets.signedBy(thief, [Operation.payment(taken)]))()
  }

  it('keeps its address and its subscribers, charges each period once, and ends with empty books that agree', async () => {
    const { billing, scope, account, platform, merchantId, payer, other } = club
    const [refunds, payouts] = [refundsIn(club), payoutsIn(club)]
    const productId = await club.club({ trialDays: count(0) })
    const checkoutId = await club.join(productId, 'r@club.example')
    await club.enrol(checkoutId, payer)
    const id = present((await club.checkout(checkoutId)).subscription_id)
    await months(id, 5)
    expect(await covered(id)).toMatchObject({ kind: 'paid', n: 5 })

    // The key is stolen. Nothing moves until it has no weight: neither a renewal nor a refund.
    const sold = await refunds.paid(10, club.network.usdc.assetId, other)
    for (const scopeOf of ['charges', 'payouts'] as const) await done(billing.freezes.freeze(frozen(scopeOf)))
    const refund = await done(refunds.request(sold))
    await months(id, 1)
    expect(await covered(id)).toMatchObject({ n: 5 })
    expect(await refunds.refundNow(refund)).toMatchObject({ status: 'pending' })
    await rotate()
    expect(await keys()).toMatchObject({ account, isProven: true, rotation: { status: 'done' } })
    expect(await refused(steal())).toMatchObject({ _tag: 'Refused', code: 'txBadAuth' })
    for (const scopeOf of ['charges', 'payouts'] as const) await done(billing.freezes.unfreeze(frozen(scopeOf)))
    await club.pass(minuteMs)
    await ledgers()
    expect(await refunds.refundNow(refund)).toMatchObject({ status: 'succeeded' })
    expect(await covered(id)).toMatchObject({ kind: 'paid', n: 6 })

    // A year goes by, and the key is replaced once more.
    await months(id, 6)
    await rotate()
    await months(id, 6)
    expect((await keys()).keys.map(({ weight }) => weight).toSorted()).toEqual([0, 0, 1])
    expect(await covered(id)).toMatchObject({ kind: 'paid', n: 18 })
    expect(await subscription(id)).toMatchObject({ status: 'active', customer_id: expect.any(String) })

    // The merchant closes: the period that is paid for is kept, refunds go on for 90 days, the rest is paid out.
    const destination = await payouts.destination(other)
    const before = await payouts.holds(other.account)
    const earned = await payouts.holds(account)
    const closing = { destination, refundDays: 90, by, reason: asText('the shop ends') }
    expect(await done(billing.closeMerchant(command(platform, merchantId), closing))).toMatchObject({ canceled: 1 })
    expect(await subscription(id)).toMatchObject({ status: 'active', cancel_at_period_end: true })
    await months(id, 1)
    expect(await subscription(id)).toMatchObject({ status: 'canceled' })
    for (let day = 0; day < 92; day++) {
      club.network.wait(dayMs)
      if (day % 10 === 0) await ledgers(2)
    }
    await ledgers(10)
    expect(await done(billing.freezes.refusalOf(scope))).toBe('closed')
    expect((await payouts.holds(other.account)) - before).toBe(earned)
    expect(await payouts.balance()).toMatchObject({ ledger: '0' })

    expect(earned).toBe(units(10 * 19))
    const whole = { from: decoded(LedgerSequence, 1), to: null, merchantId: null }
    expect(await done(reconcile(club.services, 'testnet', whole))).toMatchObject({
      isOk: true,
      unexplained: [],
      missing: [],
    })
  })
})
