import { PaymentId } from '../shared/ids.ts'
import { noMetadata } from '../shared/metadata.ts'
import { asText } from '../shared/text.ts'
import { exampleCredit, exampleId, hashOf, payerAccount, start, usdc } from '../testing/examples.ts'
import { outcomeTable } from '../testing/outcome-table.ts'
import { scenario } from '../testing/scenario.ts'
import { Refund, type RefundCommand, type RefundDetails, type RefundEvent } from './index.ts'

const { given } = scenario(Refund.decider)
const details: RefundDetails = {
  paymentId: exampleId(PaymentId, 1),
  customerId: null,
  amount: exampleCredit.amount,
  assetId: usdc,
  destination: payerAccount,
  reason: asText('damaged'),
  metadata: noMetadata,
}
const settlement = { transactionHash: hashOf(1), ledger: exampleCredit.ledger, closedAt: start }

const request: RefundCommand = { type: 'RequestRefund', ...details }
const settle: RefundCommand = { type: 'SettleRefund', ...settlement }
const fail: RefundCommand = { type: 'FailRefund', reason: 'destination_full', code: asText('lineFull'), at: start }

const requested: RefundEvent = { type: 'RefundRequested', data: details }
const succeeded: RefundEvent = { type: 'RefundSucceeded', data: settlement }
const failed: RefundEvent = {
  type: 'RefundFailed',
  data: { reason: 'destination_full', code: asText('lineFull'), failedAt: start },
}

describe('a refund of a payment', () => {
  it('records every detail of a requested refund', () => given([]).when(request).then([requested]))
  it('rejects an id that has other details', () =>
    given([requested])
      .when({ ...request, reason: null })
      .rejects({ _tag: 'RefundAlreadyExists' }))
  it('succeeds with the transaction that a closed ledger holds', () =>
    given([requested]).when(settle).then([succeeded]))
  it('records the reason of a failed refund', () => given([requested]).when(fail).then([failed]))
  it('rejects success with another transaction', () =>
    given([requested, succeeded])
      .when({ ...settle, transactionHash: hashOf(2) })
      .rejects({ _tag: 'RefundIsSucceeded', transactionHash: hashOf(1) }))
  it('rejects failure for another reason', () =>
    given([requested, failed])
      .when({ ...fail, reason: 'not_sent' })
      .rejects({ _tag: 'RefundIsFailed', reason: 'destination_full' }))

  it('gives the expected outcome of each command in each state', () => {
    const histories = {
      absent: [],
      pending: [requested],
      succeeded: [requested, succeeded],
      failed: [requested, failed],
    }
    expect(outcomeTable(Refund.decider, histories, [request, settle, fail])).toEqual({
      absent: { RequestRefund: 'RefundRequested', SettleRefund: 'RefundNotFound', FailRefund: 'RefundNotFound' },
      pending: { RequestRefund: 'nothing', SettleRefund: 'RefundSucceeded', FailRefund: 'RefundFailed' },
      succeeded: { RequestRefund: 'nothing', SettleRefund: 'nothing', FailRefund: 'RefundIsSucceeded' },
      failed: { RequestRefund: 'nothing', SettleRefund: 'RefundIsFailed', FailRefund: 'nothing' },
    })
  })
})
