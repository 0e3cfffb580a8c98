import { CheckoutId, SubscriptionId } from '../shared/ids.ts'
import { noMetadata } from '../shared/metadata.ts'
import { BasisPoints } from '../shared/platform-fee.ts'
import { maximumStroops, stroops } from '../shared/stroops.ts'
import { asText } from '../shared/text.ts'
import { count, unixMs } from '../shared/units.ts'
import { accountOf } from '../testing/account.ts'
import { decoded, eurc, exampleCredit, exampleId, hashOf, payerAccount, start, usdc } from '../testing/examples.ts'
import { scenario } from '../testing/scenario.ts'
import {
  Payment,
  type PaymentCommand,
  type PaymentConfirmation,
  type PaymentDetails,
  type PaymentEvent,
} from './index.ts'

const { given } = scenario(Payment.decider)
const details: PaymentDetails = {
  checkoutId: exampleId(CheckoutId, 1),
  customerId: null,
  productId: null,
  subscriptionId: null,
  assetId: usdc,
  currencyCode: null,
  amountCents: null,
  metadata: noMetadata,
  cause: 'credit',
}
const submission = { transactionHash: hashOf(1), maxTime: unixMs(start + 300_000) }
const second = { ...exampleCredit, transactionHash: hashOf(2), from: accountOf(9), amount: stroops(30_000_000n) }
const confirmation: PaymentConfirmation = {
  amount: stroops(125_000_000n),
  excess: stroops(5_000_000n),
  overpaid: stroops(0n),
  late: false,
  transactionHash: hashOf(2),
  ledger: second.ledger,
  confirmedAt: second.closedAt,
  walletId: null,
  payer: accountOf(9),
  billingDetails: null,
}

const open: PaymentCommand = { type: 'OpenPayment', ...details }
const submit: PaymentCommand = { type: 'RecordSubmission', ...submission }
const credit: PaymentCommand = { type: 'RecordCredit', credit: exampleCredit }
const confirm: PaymentCommand = {
  type: 'ConfirmPayment',
  excess: stroops(5_000_000n),
  overpaid: stroops(0n),
  late: false,
  transactionHash: hashOf(2),
  walletId: null,
  billingDetails: null,
}
const failDead: PaymentCommand = { type: 'FailPayment', reason: 'transaction_dead', at: start }
const failUnderpaid: PaymentCommand = { type: 'FailPayment', reason: 'underpaid', at: start }

const opened: PaymentEvent = { type: 'PaymentOpened', data: details }
const submitted: PaymentEvent = { type: 'PaymentSubmitted', data: submission }
const credited: PaymentEvent = { type: 'PaymentCredited', data: { credit: exampleCredit } }
const creditedAgain: PaymentEvent = { type: 'PaymentCredited', data: { credit: second } }
const confirmed: PaymentEvent = { type: 'PaymentConfirmed', data: confirmation }
const dead: PaymentEvent = { type: 'PaymentFailed', data: { reason: 'transaction_dead', failedAt: start } }
const underpaid: PaymentEvent = { type: 'PaymentFailed', data: { reason: 'underpaid', failedAt: start } }
const isConfirmed = { _tag: 'PaymentIsConfirmed', transactionHash: hashOf(2) } as const

describe('opening a payment', () => {
  it('records the details of an opened payment', () => given([]).when(open).then([opened]))
  it('records nothing when the opening is repeated, whatever has happened since', () =>
    given([opened, credited, creditedAgain, confirmed]).when(open).then([]))
  it('rejects an id that has other details', () =>
    given([opened])
      .when({ ...open, cause: 'submission' })
      .rejects({ _tag: 'PaymentAlreadyExists' }))
})

describe('a submitted transaction', () => {
  it('records a submitted transaction with its expiry time', () => given([opened]).when(submit).then([submitted]))
  it('records a submitted transaction once', () => given([opened, submitted]).when(submit).then([]))
  it('rejects a transaction after the payment has failed', () =>
    given([opened, dead]).when(submit).rejects({ _tag: 'PaymentIsFailed', reason: 'transaction_dead' }))
})

describe('an incoming payment of a payment', () => {
  it('records an incoming payment', () => given([opened]).when(credit).then([credited]))
  it('records an incoming payment once', () => given([opened, credited]).when(credit).then([]))
  it('records an incoming payment once, even when it is repeated after the confirmation', () =>
    given([opened, credited, creditedAgain, confirmed]).when(credit).then([]))
  it('records nothing for an incoming payment of zero', () =>
    given([opened])
      .when({ type: 'RecordCredit', credit: { ...exampleCredit, amount: stroops(0n) } })
      .then([]))
  it('rejects an incoming payment in another asset', () =>
    given([opened])
      .when({ type: 'RecordCredit', credit: { ...exampleCredit, assetId: eurc } })
      .rejects({ _tag: 'WrongAsset', expected: usdc, received: eurc }))
  it('accepts incoming payments up to the largest possible sum', () => {
    const filling = { ...second, amount: stroops(maximumStroops - exampleCredit.amount) }
    given([opened, credited])
      .when({ type: 'RecordCredit', credit: filling })
      .then([{ type: 'PaymentCredited', data: { credit: filling } }])
  })
  it('rejects an incoming payment one stroop above the largest sum', () =>
    given([opened, credited])
      .when({
        type: 'RecordCredit',
        credit: { ...second, amount: stroops(maximumStroops - exampleCredit.amount + 1n) },
      })
      .rejects({ _tag: 'ReceivedTooLarge' }))
  it('rejects an incoming payment after the confirmation', () =>
    given([opened, credited, creditedAgain, confirmed])
      .when({ type: 'RecordCredit', credit: { ...exampleCredit, transactionHash: hashOf(3) } })
      .rejects(isConfirmed))
  it('rejects an incoming payment after the failure', () =>
    given([opened, dead]).when(credit).rejects({ _tag: 'PaymentIsFailed', reason: 'transaction_dead' }))
})

describe('confirming a payment', () => {
  it('confirms the incoming payments less the returned excess', () =>
    given([opened, credited, creditedAgain]).when(confirm).then([confirmed]))
  it('confirms a kept excess as part of the amount', () =>
    given([opened, credited])
      .when({ ...confirm, transactionHash: hashOf(1), excess: stroops(0n), overpaid: stroops(5n), late: true })
      .then([
        {
          type: 'PaymentConfirmed',
          data: {
            ...confirmation,
            amount: stroops(100_000_000n),
            excess: stroops(0n),
            overpaid: stroops(5n),
            late: true,
            transactionHash: hashOf(1),
            payer: payerAccount,
          },
        },
      ]))
  it('records nothing when repeated', () => given([opened, credited, creditedAgain, confirmed]).when(confirm).then([]))
  describe("with a fee of the operator's", () => {
    const platformFee = { basisPoints: decoded(BasisPoints, 150), fixed: [{ assetId: usdc, amount: stroops(7n) }] }
    const bearing: PaymentEvent = { type: 'PaymentOpened', data: { ...details, platformFee } }
    const booked = (amount: bigint) => ({ platformFee: { assetId: usdc, amount: stroops(amount) } })
    it('books it of the price alone: not of what is returned, nor of an excess that is kept', () => {
      given([bearing, credited, creditedAgain])
        .when(confirm)
        .then([{ type: 'PaymentConfirmed', data: { ...confirmation, ...booked(1_875_007n) } }])
      given([bearing, credited, creditedAgain])
        .when({ ...confirm, excess: stroops(0n), overpaid: stroops(30_000_000n) })
        .then([
          {
            type: 'PaymentConfirmed',
            data: {
              ...confirmation,
              ...{ amount: stroops(130_000_000n), excess: stroops(0n), overpaid: stroops(30_000_000n) },
              ...booked(1_500_007n),
            },
          },
        ])
    })
    it('books it once', () =>
      given([
        bearing,
        credited,
        creditedAgain,
        { type: 'PaymentConfirmed', data: { ...confirmation, ...booked(1_875_007n) } },
      ])
        .when(confirm)
        .then([]))
    it('books nothing where it is less than a stroop', () => {
      const terms = { basisPoints: decoded(BasisPoints, 0), fixed: [] }
      given([{ type: 'PaymentOpened', data: { ...details, platformFee: terms } }, credited, creditedAgain])
        .when(confirm)
        .then([confirmed])
    })
  })
  it('rejects a confirmation with another outcome', () =>
    given([opened, credited, creditedAgain, confirmed])
      .when({ ...confirm, late: true })
      .rejects(isConfirmed))
  it('rejects a confirmation before any incoming payment', () =>
    given([opened]).when(confirm).rejects({ _tag: 'NothingReceived' }))
  it('rejects a confirmation by a transaction that brought nothing', () =>
    given([opened, credited])
      .when(confirm)
      .rejects({ _tag: 'CreditNotRecorded', transactionHash: hashOf(2) }))
  it.each([
    { excess: 129_999_999n, overpaid: 0n },
    { excess: 0n, overpaid: 129_999_999n },
  ])('leaves at least one stroop as the price: $excess returned, $overpaid kept', ({ excess, overpaid }) =>
    given([opened, credited, creditedAgain])
      .when({ ...confirm, excess: stroops(excess), overpaid: stroops(overpaid) })
      .then([
        {
          type: 'PaymentConfirmed',
          data: {
            ...confirmation,
            amount: stroops(130_000_000n - excess),
            excess: stroops(excess),
            overpaid: stroops(overpaid),
          },
        },
      ]),
  )
  it('rejects a confirmation that would leave nothing as the price', () =>
    given([opened, credited, creditedAgain])
      .when({ ...confirm, excess: stroops(129_999_999n), overpaid: stroops(1n) })
      .rejects({ _tag: 'ExcessAboveReceived', received: stroops(130_000_000n) }))
  it('rejects a confirmation after the failure', () =>
    given([opened, credited, underpaid]).when(confirm).rejects({ _tag: 'PaymentIsFailed', reason: 'underpaid' }))
})

describe('failing a payment', () => {
  it('fails a payment whose transaction is dead', () => given([opened, submitted]).when(failDead).then([dead]))
  it('fails an underpaid payment', () => given([opened, credited]).when(failUnderpaid).then([underpaid]))
  it('records nothing when repeated', () => given([opened, dead]).when(failDead).then([]))
  it('rejects a failure for another reason', () =>
    given([opened, dead]).when(failUnderpaid).rejects({ _tag: 'PaymentIsFailed', reason: 'transaction_dead' }))
  it('rejects failing for a dead transaction when something else arrived', () =>
    given([opened, credited]).when(failDead).rejects({ _tag: 'SomethingReceived', received: exampleCredit.amount }))
  it('rejects failing as underpaid when nothing arrived', () =>
    given([opened]).when(failUnderpaid).rejects({ _tag: 'NothingReceived' }))
  it('rejects a failure after the confirmation', () =>
    given([opened, credited, creditedAgain, confirmed]).when(failUnderpaid).rejects(isConfirmed))
})

describe('a payment for a renewal', () => {
  const renewed = {
    ...details,
    subscriptionId: exampleId(SubscriptionId, 1),
    cause: 'renewal',
    period: count(3),
    amountDue: exampleCredit.amount,
  } as const
  const renewal: PaymentEvent = { type: 'PaymentOpened', data: renewed }
  const refuse = { type: 'FailPayment', reason: 'charge_refused', code: asText('10'), at: start } as const
  const refused: PaymentEvent = {
    type: 'PaymentFailed',
    data: { reason: 'charge_refused', code: asText('10'), failedAt: start },
  }
  it('records the subscription and the period of a renewal', () =>
    given([])
      .when({ type: 'OpenPayment', ...renewed })
      .then([renewal]))
  it('fails a renewal that the contract refuses, with its error number', () =>
    given([renewal]).when(refuse).then([refused]))
  it('refuses a renewal once, and for good', () => {
    given([renewal, refused]).when(refuse).then([])
    given([renewal, refused]).when(credit).rejects({ _tag: 'PaymentIsFailed', reason: 'charge_refused' })
  })
  it('rejects refusing a renewal once its money arrived', () =>
    given([renewal, credited]).when(refuse).rejects({ _tag: 'SomethingReceived', received: exampleCredit.amount }))
})

describe('a payment that does not exist', () => {
  it.each<PaymentCommand>([submit, credit, confirm, failDead])('rejects $type for an unknown payment', (command) =>
    given([]).when(command).rejects({ _tag: 'PaymentNotFound' }),
  )
})
