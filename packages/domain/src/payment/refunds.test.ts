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
  it('records all that it takes to carry it out', () => given(sold).when(claim).then([claimed]))
  it('records nothing when repeated, also once it has succeeded', () => {
    given(underWay).when(claim).then([])
    given(over).when(claim).then([])
  })
  it.each([
    ['under way', underWay],
    ['final', over],
  ])('is rejected while another is %s, and told which', (_, history) =>
    given(history).when(claimAnother).rejects({ _tag: 'RefundExists', refundId: first }),
  )
  it('is allowed after another has failed', () => given(released1).when(claimAnother).then([claimedAgain]))
  it('is rejected for an id that has failed before', () => {
    given(released1).when(claim).rejects({ _tag: 'RefundWasReleased' })
    given([...released1, claimedAgain])
      .when(claim)
      .rejects({ _tag: 'RefundExists', refundId: second })
  })
  it('is rejected for what was not confirmed', () => {
    given([opened, credited]).when(claim).rejects({ _tag: 'PaymentNotConfirmed', status: 'pending' })
    given([opened, failed]).when(claim).rejects({ _tag: 'PaymentNotConfirmed', status: 'failed' })
    given([]).when(claim).rejects({ _tag: 'PaymentNotFound' })
  })
})

describe('the end of a refund', () => {
  it('is recorded as the payment being refunded, once', () => {
    given(underWay).when(finish).then([refunded])
    given(over).when(finish).then([])
  })
  it('is recorded as released, once, also while another is under way', () => {
    given(underWay).when(release).then([released])
    given(released1).when(release).then([])
    given([...released1, claimedAgain])
      .when(release)
      .then([])
  })
  it('is final', () => {
    given(over).when(release).rejects({ _tag: 'RefundExists', refundId: first })
    given(released1).when(finish).rejects({ _tag: 'RefundWasReleased' })
  })
  it('is rejected for a refund that was never claimed', () => {
    given(sold).when(finish).rejects({ _tag: 'RefundNotClaimed' })
    given([opened]).when(release).rejects({ _tag: 'RefundNotClaimed' })
    given([opened, failed]).when(release).rejects({ _tag: 'RefundNotClaimed' })
  })
  it('leaves the payment confirmed: credits that come again are known', () => {
    given(over).when({ type: 'RecordCredit', credit: exampleCredit }).then([])
    given(over)
      .when({ type: 'FailPayment', reason: 'underpaid', at: start })
      .rejects({ _tag: 'PaymentIsConfirmed', transactionHash: exampleCredit.transactionHash })
  })
})

describe('a payment that its subscription has set aside', () => {
  const aside: PaymentCommand = { type: 'ClaimReturn' }
  it('goes back without a refund, once', () => {
    given(sold).when(aside).then([returning])
    given([...sold, returning])
      .when(aside)
      .then([])
  })
  it('is not refunded from then on', () =>
    given([...sold, returning])
      .when(claim)
      .rejects({ _tag: 'PaymentSetAside' }))
  it('is left to the refund that is under way, or was made', () => {
    given([...sold, claimed])
      .when(aside)
      .rejects({ _tag: 'RefundExists', refundId: first })
    given([...sold, claimed, refunded])
      .when(aside)
      .rejects({ _tag: 'RefundExists', refundId: first })
  })
  it('goes back without one after it has failed', () =>
    given([...sold, claimed, released])
      .when(aside)
      .then([returning]))
})
