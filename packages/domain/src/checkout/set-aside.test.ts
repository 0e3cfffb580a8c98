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

describe('a credit in another asset', () => {
  const wrong: IncomingPayment = { ...exact, assetId: eurc }
  const impostor: IncomingPayment = { ...exact, assetId: decoded(AssetId, `USDC:${accountOf(9)}`) }
  it('is set aside and leaves the session open', () =>
    given(open)
      .when(accept(wrong))
      .then([unapplied(wrong, 'wrong_asset')]))
  it('is one with the same code and another issuer', () =>
    given(open)
      .when(accept(impostor))
      .then([unapplied(impostor, 'wrong_asset')]))
  it.each([
    { status: 'settled', history: settled },
    { status: 'expired', history: [created, expired] },
    { status: 'failed', history: [...open, accepted(creditOf(1n, 5)), failedUnderpaid] },
  ])('is called so whatever became of the session: $status', ({ history }) => {
    const credit = { ...wrong, transactionHash: hashOf(8) }
    given(history)
      .when(accept(credit))
      .then([unapplied(credit, 'wrong_asset')])
  })
})

describe('a credit for an invoice that is not to be paid any more', () => {
  const late = creditOf(price, 2)
  it.each([
    { reason: 'paid_otherwise', aside: 'paid_twice' },
    { reason: 'not_owed', aside: 'after_failure' },
  ] as const)('is set aside as $aside where it is $reason', ({ reason, aside: kind }) =>
    given([created, { type: 'CheckoutFailed', data: { reason, paymentId: null, endedAt: late.closedAt } }])
      .when(accept(late))
      .then([unapplied(late, kind)]),
  )
})

describe('a credit for a sale that is paid', () => {
  const again = creditOf(price, 2)
  it.each([
    { status: 'settled', history: settled },
    { status: 'completed', history: [...settled, completed] },
  ])('is set aside: $status', ({ history }) =>
    given(history)
      .when(accept(again))
      .then([unapplied(again, 'paid_twice')]),
  )
})
