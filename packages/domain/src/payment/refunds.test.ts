import { CheckoutId, RefundId } from '../shared/ids.ts'
import { noMetadata } from '../shared/metadata.ts'
import { stroops } from '../shared/stroops.ts'
import { asText } from '../shared/text.ts'
import { exampleCredit, exampleId, payerAccount, start, usdc } from '../testing/examples.ts'
import { scenario } from '../testing/scenario.ts'
import { Payment, type PaymentCommand, type PaymentEvent } from './index.ts'

const { given } = scenario(Payment.decider)
const [first, second] = [exampleId(RefundId, 1), exampleId(RefundId, 2)]
const claimOf = (refundId: RefundId) => ({
  refundId,
  destination: payerAccount,
  reason: asText('damaged'),
  metadata: noMetadata,
  claimedAt: start,
})

const claim: PaymentCommand = { type: 'ClaimRefund', ...claimOf(first) }
const claimAnother: PaymentCommand = { type: 'ClaimRefund', ...claimOf(second) }
const release: PaymentCommand = { type: 'ReleaseRefund', refundId: first }
const finish: PaymentCommand = { type: 'RecordRefunded', refundId: first, at: start }

const opened: PaymentEvent = {
  type: 'PaymentOpened',
  data: {
    checkoutId: exampleId(CheckoutId, 1),
    customerId: null,
    productId: null,
    subscriptionId: null,
    assetId: usdc,
    currencyCode: null,
    amountCents: null,
    metadata: noMetadata,
    cause: 'credit',
  },
}
const credited: PaymentEvent = { type: 'PaymentCredited', data: { credit: exampleCredit } }
const failed: PaymentEvent = { type: 'PaymentFailed', data: { reason: 'underpaid', failedAt: start } }
const confirmed: PaymentEvent = {
  type: 'PaymentConfirmed',
  data: {
    amount: exampleCredit.amount,
    excess: stroops(0n),
    overpaid: stroops(0n),
    late: false,
    transactionHash: exampleCredit.transactionHash,
    ledger: exampleCredit.ledger,
    confirmedAt: exampleCredit.closedAt,
    walletId: null,
    payer: payerAccount,
    billingDetails: null,
  },
}
const claimed: PaymentEvent = { type: 'RefundClaimed', data: claimOf(first) }
const claimedAgain: PaymentEvent = { type: 'RefundClaimed', data: claimOf(second) }
const released: PaymentEvent = { type: 'RefundReleased', data: { refundId: first } }
const refunded: PaymentEvent = { type: 'PaymentRefunded', data: { refundId: first, refundedAt: start } }

const returning: PaymentEvent = { type: 'ReturnClaimed', data: {} }

const sold = [opened, credited, confirmed]
const underWay = [...sold, claimed]
const released1 = [...underWay, released]
const over = [...underWay, refunded]

describe('claiming a refund', () => {
  it('records every detail of a claimed refund', () => given(sold).when(claim).then([claimed]))
  it('records nothing when the claim is repeated, even after success', () => {
    given(underWay).when(claim).then([])
    given(over).when(claim).then([])
  })
  it.each([
    ['under way', underWay],
    ['final', over],
  ])('rejects a refund while another is %s, and names that one', (_, history) =>
    given(history).when(claimAnother).rejects({ _tag: 'RefundExists', refundId: first }),
  )
  it('accepts a refund after another has failed', () => given(released1).when(claimAnother).then([claimedAgain]))
  it('rejects the id of a refund that has failed before', () => {
    given(released1).when(claim).rejects({ _tag: 'RefundWasReleased' })
    given([...released1, claimedAgain])
      .when(claim)
      .rejects({ _tag: 'RefundExists', refundId: second })
  })
  it('rejects a refund of an unconfirmed payment', () => {
    given([opened, credited]).when(claim).rejects({ _tag: 'PaymentNotConfirmed', status: 'pending' })
    given([opened, failed]).when(claim).rejects({ _tag: 'PaymentNotConfirmed', status: 'failed' })
    given([]).when(claim).rejects({ _tag: 'PaymentNotFound' })
  })
})

describe('the end of a refund', () => {
  it('records a refunded payment once', () => {
    given(underWay).when(finish).then([refunded])
    given(over).when(finish).then([])
  })
  it('records a released refund once, even while another is under way', () => {
    given(underWay).when(release).then([released])
    given(released1).when(release).then([])
    given([...released1, claimedAgain])
      .when(release)
      .then([])
  })
  it('rejects another end of a refund', () => {
    given(over).when(release).rejects({ _tag: 'RefundExists', refundId: first })
    given(released1).when(finish).rejects({ _tag: 'RefundWasReleased' })
  })
  it('rejects the end of an unclaimed refund', () => {
    given(sold).when(finish).rejects({ _tag: 'RefundNotClaimed' })
    given([opened]).when(release).rejects({ _tag: 'RefundNotClaimed' })
    given([opened, failed]).when(release).rejects({ _tag: 'RefundNotClaimed' })
  })
  it('recognizes repeated incoming payments after the refund', () => {
    given(over).when({ type: 'RecordCredit', credit: exampleCredit }).then([])
    given(over)
      .when({ type: 'FailPayment', reason: 'underpaid', at: start })
      .rejects({ _tag: 'PaymentIsConfirmed', transactionHash: exampleCredit.transactionHash })
  })
})

describe('a payment that its subscription has set aside', () => {
  const aside: PaymentCommand = { type: 'ClaimReturn' }
  it('returns the payment without a refund, once', () => {
    given(sold).when(aside).then([returning])
    given([...sold, returning])
      .when(aside)
      .then([])
  })
  it('rejects a refund of a returned payment', () =>
    given([...sold, returning])
      .when(claim)
      .rejects({ _tag: 'PaymentSetAside' }))
  it('leaves the payment to a refund that is under way or done', () => {
    given([...sold, claimed])
      .when(aside)
      .rejects({ _tag: 'RefundExists', refundId: first })
    given([...sold, claimed, refunded])
      .when(aside)
      .rejects({ _tag: 'RefundExists', refundId: first })
  })
  it('returns the payment without a refund after a refund has failed', () =>
    given([...sold, claimed, released])
      .when(aside)
      .then([returning]))
})
