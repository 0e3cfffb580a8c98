import { CheckoutId, SubscriptionId } from '../shared/ids.ts'
import { noMetadata } from '../shared/metadata.ts'
import { maximumStroops, stroops } from '../shared/stroops.ts'
import { asText } from '../shared/text.ts'
import { count, unixMs } from '../shared/units.ts'
import { accountOf } from '../testing/account.ts'
import { eurc, exampleCredit, exampleId, hashOf, payerAccount, start, usdc } from '../testing/examples.ts'
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
  it('records what is paid', () => given([]).when(open).then([opened]))
  it('records nothing when repeated, whatever has come since', () =>
    given([opened, credited, creditedAgain, confirmed]).when(open).then([]))
  it('is rejected for an id that has other details', () =>
    given([opened])
      .when({ ...open, cause: 'submission' })
      .rejects({ _tag: 'PaymentAlreadyExists' }))
})

describe('a submitted transaction', () => {
  it('is recorded with the time it dies at', () => given([opened]).when(submit).then([submitted]))
  it('is recorded once', () => given([opened, submitted]).when(submit).then([]))
  it('is rejected after the end', () =>
    given([opened, dead]).when(submit).rejects({ _tag: 'PaymentIsFailed', reason: 'transaction_dead' }))
})

describe('a credit', () => {
  it('is recorded', () => given([opened]).when(credit).then([credited]))
  it('is recorded once', () => given([opened, credited]).when(credit).then([]))
  it('is recorded once even if it comes again after the confirmation', () =>
    given([opened, credited, creditedAgain, confirmed]).when(credit).then([]))
  it('of nothing changes nothing', () =>
    given([opened])
      .when({ type: 'RecordCredit', credit: { ...exampleCredit, amount: stroops(0n) } })
      .then([]))
  it('is rejected in another asset', () =>
    given([opened])
      .when({ type: 'RecordCredit', credit: { ...exampleCredit, assetId: eurc } })
      .rejects({ _tag: 'WrongAsset', expected: usdc, received: eurc }))
  it('is taken up to the largest sum there is', () => {
    const filling = { ...second, amount: stroops(maximumStroops - exampleCredit.amount) }
    given([opened, credited])
      .when({ type: 'RecordCredit', credit: filling })
      .then([{ type: 'PaymentCredited', data: { credit: filling } }])
  })
  it('is rejected one stroop above it', () =>
    given([opened, credited])
      .when({
        type: 'RecordCredit',
        credit: { ...second, amount: stroops(maximumStroops - exampleCredit.amount + 1n) },
      })
      .rejects({ _tag: 'ReceivedTooLarge' }))
  it('is rejected after the confirmation', () =>
    given([opened, credited, creditedAgain, confirmed])
      .when({ type: 'RecordCredit', credit: { ...exampleCredit, transactionHash: hashOf(3) } })
      .rejects(isConfirmed))
  it('is rejected after the failure', () =>
    given([opened, dead]).when(credit).rejects({ _tag: 'PaymentIsFailed', reason: 'transaction_dead' }))
})

describe('confirming a payment', () => {
  it('records its credits less the excess that is returned', () =>
    given([opened, credited, creditedAgain]).when(confirm).then([confirmed]))
  it('includes an excess that is kept', () =>
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
  it('is final: another outcome is rejected', () =>
    given([opened, credited, creditedAgain, confirmed])
      .when({ ...confirm, late: true })
      .rejects(isConfirmed))
  it('is rejected before anything came', () => given([opened]).when(confirm).rejects({ _tag: 'NothingReceived' }))
  it('is rejected by a transaction that credited nothing', () =>
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
  it('is rejected when nothing would be left as the price', () =>
    given([opened, credited, creditedAgain])
      .when({ ...confirm, excess: stroops(129_999_999n), overpaid: stroops(1n) })
      .rejects({ _tag: 'ExcessAboveReceived', received: stroops(130_000_000n) }))
  it('is rejected after the failure', () =>
    given([opened, credited, underpaid]).when(confirm).rejects({ _tag: 'PaymentIsFailed', reason: 'underpaid' }))
})

describe('failing a payment', () => {
  it('records the death of its transaction', () => given([opened, submitted]).when(failDead).then([dead]))
  it('records that too little had come', () => given([opened, credited]).when(failUnderpaid).then([underpaid]))
  it('records nothing when repeated', () => given([opened, dead]).when(failDead).then([]))
  it('is final: another reason is rejected', () =>
    given([opened, dead]).when(failUnderpaid).rejects({ _tag: 'PaymentIsFailed', reason: 'transaction_dead' }))
  it('is rejected for a dead transaction when something else came', () =>
    given([opened, credited]).when(failDead).rejects({ _tag: 'SomethingReceived', received: exampleCredit.amount }))
  it('is rejected as underpaid when nothing came', () =>
    given([opened]).when(failUnderpaid).rejects({ _tag: 'NothingReceived' }))
  it('is rejected after the confirmation', () =>
    given([opened, credited, creditedAgain, confirmed]).when(failUnderpaid).rejects(isConfirmed))
})

describe('a renewal', () => {
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
  it('says for which period of which subscription it is', () =>
    given([])
      .when({ type: 'OpenPayment', ...renewed })
      .then([renewal]))
  it('that the contract refuses fails with its number', () => given([renewal]).when(refuse).then([refused]))
  it('is refused once, and for good', () => {
    given([renewal, refused]).when(refuse).then([])
    given([renewal, refused]).when(credit).rejects({ _tag: 'PaymentIsFailed', reason: 'charge_refused' })
  })
  it('is not refused once its money came', () =>
    given([renewal, credited]).when(refuse).rejects({ _tag: 'SomethingReceived', received: exampleCredit.amount }))
})

describe('a payment that does not exist', () => {
  it.each<PaymentCommand>([submit, credit, confirm, failDead])('is not found: $type', (command) =>
    given([]).when(command).rejects({ _tag: 'PaymentNotFound' }),
  )
})
