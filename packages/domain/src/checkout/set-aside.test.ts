import { AssetId } from '../shared/asset.ts'
import type { IncomingPayment } from '../shared/incoming-payment.ts'
import { accountOf } from '../testing/account.ts'
import {
  accept,
  accepted,
  completed,
  created,
  creditOf,
  exact,
  expired,
  failedUnderpaid,
  quoted,
  settled,
  unapplied,
} from '../testing/checkout-examples.ts'
import { decoded, eurc, hashOf } from '../testing/examples.ts'
import { scenario } from '../testing/scenario.ts'
import { Checkout } from './index.ts'

const { given } = scenario(Checkout.decider)
const open = [created, quoted]
const price = 100_000_000n

describe('an incoming payment in another asset', () => {
  const wrong: IncomingPayment = { ...exact, assetId: eurc }
  const impostor: IncomingPayment = { ...exact, assetId: decoded(AssetId, `USDC:${accountOf(9)}`) }
  it('sets another asset aside and leaves the session open', () =>
    given(open)
      .when(accept(wrong))
      .then([unapplied(wrong, 'wrong_asset')]))
  it('treats the same code from another issuer as another asset', () =>
    given(open)
      .when(accept(impostor))
      .then([unapplied(impostor, 'wrong_asset')]))
  it.each([
    { status: 'settled', history: settled },
    { status: 'expired', history: [created, expired] },
    { status: 'failed', history: [...open, accepted(creditOf(1n, 5)), failedUnderpaid] },
  ])('sets another asset aside as such, whatever the session’s status: $status', ({ history }) => {
    const credit = { ...wrong, transactionHash: hashOf(8) }
    given(history)
      .when(accept(credit))
      .then([unapplied(credit, 'wrong_asset')])
  })
})

describe('an incoming payment for an invoice that is no longer payable', () => {
  const late = creditOf(price, 2)
  it.each([
    { reason: 'paid_otherwise', aside: 'paid_twice' },
    { reason: 'not_owed', aside: 'after_failure' },
  ] as const)('sets a payment aside as $aside when the invoice is $reason', ({ reason, aside: kind }) =>
    given([created, { type: 'CheckoutFailed', data: { reason, paymentId: null, endedAt: late.closedAt } }])
      .when(accept(late))
      .then([unapplied(late, kind)]),
  )
})

describe('an incoming payment for a sale that is paid', () => {
  const again = creditOf(price, 2)
  it.each([
    { status: 'settled', history: settled },
    { status: 'completed', history: [...settled, completed] },
  ])('sets a payment aside when the sale is $status', ({ history }) =>
    given(history)
      .when(accept(again))
      .then([unapplied(again, 'paid_twice')]),
  )
})
