import { PaymentId } from '../shared/ids.ts'
import { noMetadata } from '../shared/metadata.ts'
import { asText } from '../shared/text.ts'
import { unixMs } from '../shared/units.ts'
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
const postpone: RefundCommand = { type: 'PostponeRefund', sendsAt: start }
const endWait: RefundCommand = { type: 'EndRefundWait', at: start }
const cancel: RefundCommand = { type: 'CancelRefund', at: start }
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
    const ofWait = (outcome: string) => ({ PostponeRefund: outcome, EndRefundWait: outcome, CancelRefund: outcome })
    const commands = [request, postpone, endWait, cancel, settle, fail]
    expect(outcomeTable(Refund.decider, histories, commands)).toEqual({
      absent: {
        RequestRefund: 'RefundRequested',
        ...ofWait('RefundNotFound'),
        SettleRefund: 'RefundNotFound',
        FailRefund: 'RefundNotFound',
      },
      pending: {
        RequestRefund: 'nothing',
        ...ofWait('RefundNotWaiting'),
        EndRefundWait: 'nothing',
        SettleRefund: 'RefundSucceeded',
        FailRefund: 'RefundFailed',
      },
      succeeded: {
        RequestRefund: 'nothing',
        ...ofWait('RefundIsSucceeded'),
        SettleRefund: 'nothing',
        FailRefund: 'RefundIsSucceeded',
      },
      failed: {
        RequestRefund: 'nothing',
        ...ofWait('RefundIsFailed'),
        SettleRefund: 'RefundIsFailed',
        FailRefund: 'nothing',
      },
    })
  })
})

describe('a refund that waits', () => {
  const sendsAt = unixMs(start + 1_000)
  const waiting: RefundEvent = { type: 'RefundRequested', data: { ...details, sendsAt } }
  const ended: RefundEvent = { type: 'RefundWaitEnded', data: {} }
  const postponed: RefundEvent = { type: 'RefundPostponed', data: { sendsAt: unixMs(sendsAt + 1) } }
  const canceled: RefundEvent = { type: 'RefundFailed', data: { reason: 'canceled', code: null, failedAt: start } }
  const endAt = (at: number): RefundCommand => ({ type: 'EndRefundWait', at: unixMs(at) })
  const postponeTo = (to: number): RefundCommand => ({ type: 'PostponeRefund', sendsAt: unixMs(to) })

  it('ends its wait when its time has come, and not a millisecond before', () => {
    given([waiting]).when(endAt(sendsAt)).then([ended])
    given([waiting])
      .when(endAt(sendsAt - 1))
      .rejects({ _tag: 'RefundWaits', sendsAt })
    given([waiting, postponed])
      .when(endAt(sendsAt))
      .rejects({ _tag: 'RefundWaits', sendsAt: unixMs(sendsAt + 1) })
  })
  it('is postponed, and never brought forward', () => {
    given([waiting])
      .when(postponeTo(sendsAt + 1))
      .then([postponed])
    given([waiting]).when(postponeTo(sendsAt)).then([])
    given([waiting])
      .when(postponeTo(sendsAt - 1))
      .then([])
  })
  it('is canceled as long as it waits', () => {
    given([waiting]).when(cancel).then([canceled])
    given([waiting, canceled]).when(cancel).then([])
    given([waiting, ended]).when(cancel).rejects({ _tag: 'RefundNotWaiting' })
    given([waiting, canceled]).when(endAt(sendsAt)).rejects({ _tag: 'RefundIsFailed', reason: 'canceled' })
  })
  it('succeeds while it waits, when a restored log has lost that it was sent', () =>
    given([waiting]).when(settle).then([succeeded]))
})
