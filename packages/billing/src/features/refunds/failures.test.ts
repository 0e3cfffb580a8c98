import { asText, type IntentEnd, LedgerSequence, OperationIndex, unixMs } from '@quittance/domain'
import { decoded, hashOf } from '@quittance/domain/testing'
import { acceptLog } from '../../testing/accept-log.ts'
import { done, present } from '../../testing/outcomes.ts'
import { payoutsIn } from '../../testing/payouts.ts'
import { refundsIn } from '../../testing/refunds.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { units, type Wallet } from '../../testing/wallets.ts'
import { refundEnd } from './end.ts'

let front: StoreFront
let refunds: ReturnType<typeof refundsIn>
beforeAll(async () => {
  front = await openStoreFront()
  refunds = refundsIn(front)
})
afterAll(() => front.close())

const usdc = () => front.network.usdc.assetId

describe('a refund whose receiver has changed since it was accepted', () => {
  const { deauthorise, give } = {
    deauthorise: (account: string) => front.network.sandbox.faults.set({ deauthorise: { account, asset_id: usdc() } }),
    give: () => front.network.sandbox.faults.set({}),
  }
  type Change = readonly [
    code: string,
    reason: string,
    number: number,
    isNative: boolean,
    breaks: (wallet: Wallet) => void,
    mends: (wallet: Wallet) => Promise<void> | void,
  ]
  it.each<Change>([
    [
      'paymentNoDestination',
      'destination_not_found',
      41,
      true,
      (wallet) => wallet.merge(front.other.account),
      async () => void (await front.wallets.bareWallet(41)),
    ],
    [
      'paymentNoTrust',
      'destination_no_trustline',
      42,
      false,
      (wallet) => wallet.limit(usdc(), units(0)),
      (wallet) => wallet.trust(usdc()),
    ],
    [
      'paymentLineFull',
      'destination_full',
      43,
      false,
      (wallet) => wallet.limit(usdc(), units(9)),
      (wallet) => wallet.limit(usdc(), units(10)),
    ],
    [
      'paymentNotAuthorized',
      'destination_not_authorized',
      44,
      false,
      ({ account }) => void deauthorise(account),
      () => void give(),
    ],
  ])(
    'a refund that the ledger refuses with %s fails as %s unpaid, and allows another',
    async (code, reason, number, isNative, breaks, mends) => {
      const wallet = await front.wallets.bareWallet(number)
      if (!isNative) wallet.trust(usdc())
      await payoutsIn(front).destination(wallet)
      const payment = isNative ? await refunds.paid(40, front.network.xlm.assetId) : await refunds.paid()
      const refund = await done(refunds.request(payment, { destination: wallet.account }))
      breaks(wallet)
      front.network.wait(1000)
      expect(await refunds.ended(refund)).toMatchObject({
        status: 'failed',
        failure_reason: reason,
        failure_message: expect.any(String),
        failure_code: code,
        transaction_hash: null,
      })
      expect(await refunds.paymentNow(payment)).toMatchObject({ refunded: false, line_items: [{ status: 'failed' }] })
      await mends(wallet)
      front.network.wait(1000)
      const next = await done(refunds.request(payment, { destination: wallet.account }))
      expect(await refunds.ended(next)).toMatchObject({ status: 'succeeded' })
      expect(await refunds.paymentNow(payment)).toMatchObject({
        refunded: true,
        line_items: [{ status: 'failed' }, { id: `ref_${next.id.slice(3)}`, status: 'confirmed' }],
      })
    },
  )

  it('a refund fails when the paying account does not hold the amount', async () => {
    const payment = await refunds.paid()
    const [held] = await done(front.network.gateway.balances([{ account: front.account, assetId: usdc() }]))
    front.wallets.payFrom(await front.seedOf(front.merchantId), {
      to: front.other.account,
      asset: usdc(),
      parts: [present(held?.held)],
      memo: null,
    })
    await acceptLog(front)
    const refund = await done(refunds.request(payment))
    expect(await refunds.ended(refund)).toMatchObject({
      failure_reason: 'insufficient_funds',
      failure_code: 'paymentUnderfunded',
    })
  })
})

describe('the end of a refund', () => {
  const place = {
    transactionHash: hashOf(7),
    operationIndex: decoded(OperationIndex, 0),
    ledger: decoded(LedgerSequence, 9),
    closedAt: unixMs(5),
  }
  it.each([
    ['paymentSrcNoTrust', 'insufficient_funds'],
    ['paymentSrcNotAuthorized', 'refused_by_ledger'],
    ['paymentMalformed', 'refused_by_ledger'],
    ['toString', 'refused_by_ledger'],
  ])('a refund whose operation failed with %s ends as %s', (code, reason) => {
    const end: IntentEnd = { _tag: 'refused', code: asText(code), ...place }
    expect(refundEnd(end, unixMs(6))).toEqual({ type: 'FailRefund', reason, code, at: 5 })
  })
  it('a refund whose intent was given up ends as not sent', () =>
    expect(refundEnd({ _tag: 'given_up', reason: 'attempts_exhausted' }, unixMs(6))).toEqual({
      type: 'FailRefund',
      reason: 'not_sent',
      code: 'attempts_exhausted',
      at: 6,
    }))
})
