import type { Credit } from '../shared/credit.ts'
import { ExceptionId } from '../shared/ids.ts'
import { hourMs } from '../shared/units.ts'
import {
  accept,
  accepted,
  after,
  aside,
  completed,
  created,
  creditOf,
  expired,
  failedUnderpaid,
  quoted,
  settled,
  settledBy,
} from '../testing/checkout-examples.ts'
import { eurc, exampleId } from '../testing/examples.ts'
import { scenario } from '../testing/scenario.ts'
import type { ApplyCredit } from './commands.ts'
import { Checkout } from './index.ts'

const { given } = scenario(Checkout.decider)
const open = [created, quoted]
const price = 100_000_000n
const apply = (credit: Credit): ApplyCredit => ({ ...accept(credit), type: 'ApplyCredit' })
const found: Credit = { ...creditOf(price, 5), exceptionId: exampleId(ExceptionId, 1) }

describe('money that a person says counts for a checkout', () => {
  it('settles it as if it had come with its name', () =>
    given(open)
      .when(apply(found))
      .then([accepted(found), settledBy(found)]))
  it('counts as a part of the price where it is too little', () => {
    const part = { ...found, amount: creditOf(1n, 5).amount }
    given(open)
      .when(apply(part))
      .then([accepted(part)])
  })
  it('counts once, however often it is said', () => {
    const part = { ...found, amount: creditOf(1n, 5).amount }
    given([...open, accepted(part)])
      .when(apply(part))
      .then([])
  })
  it.each([
    ['another asset', open, { ...found, assetId: eurc }, 'wrong_asset'],
    ['a sale that is paid', settled, found, 'paid_twice'],
    ['a sale that is completed', [...settled, completed], found, 'paid_twice'],
    ['a session that has failed', [...open, accepted(creditOf(1n, 4)), failedUnderpaid], found, 'after_failure'],
    [
      'a session that expired more than a day before it came',
      [created, expired],
      { ...found, closedAt: after(48 * hourMs + 1) },
      'late',
    ],
  ] as const)('is refused, and nothing is written, for %s', (_, history, credit, reason) =>
    given([...history])
      .when(apply(credit))
      .rejects({ _tag: 'CreditDoesNotFit', reason }),
  )
  it('is refused by the checkout that has set it aside', () =>
    given([...open, aside(found, 'wrong_asset')])
      .when(apply(found))
      .rejects({ _tag: 'CreditDoesNotFit', reason: 'wrong_asset' }))
})
