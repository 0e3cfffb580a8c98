import { asText } from '../shared/text.ts'
import { hashOf, start } from '../testing/examples.ts'
import { outcomeTable } from '../testing/outcome-table.ts'
import { ledgerOf } from '../testing/outgoing-examples.ts'
import { examplePayoutDetails as details } from '../testing/payout-examples.ts'
import { scenario } from '../testing/scenario.ts'
import { Payout, type PayoutCommand, type PayoutEvent } from './index.ts'

const { given } = scenario(Payout.decider)
const settlement = { transactionHash: hashOf(1), ledger: ledgerOf(1001), closedAt: start }

const request: PayoutCommand = { type: 'RequestPayout', ...details }
const cancel: PayoutCommand = { type: 'CancelPayout', at: start }
const settle: PayoutCommand = { type: 'SettlePayout', ...settlement }
const fail: PayoutCommand = { type: 'FailPayout', reason: 'destination_full', code: asText('lineFull'), at: start }

const requested: PayoutEvent = { type: 'PayoutRequested', data: details }
const canceled: PayoutEvent = { type: 'PayoutCanceled', data: { canceledAt: start } }
const succeeded: PayoutEvent = { type: 'PayoutSucceeded', data: settlement }
const failed: PayoutEvent = {
  type: 'PayoutFailed',
  data: { reason: 'destination_full', code: asText('lineFull'), failedAt: start },
}

describe('a payout', () => {
  it('records every detail of a requested payout', () => given([]).when(request).then([requested]))
  it('rejects an id that has other details', () =>
    given([requested])
      .when({ ...request, dueAt: start })
      .rejects({ _tag: 'PayoutAlreadyExists' }))
  it('succeeds with the transaction that a closed ledger holds', () =>
    given([requested]).when(settle).then([succeeded]))
  it('records the reason of a failed payout', () => given([requested]).when(fail).then([failed]))
  it('rejects success with another transaction', () =>
    given([requested, succeeded])
      .when({ ...settle, transactionHash: hashOf(2) })
      .rejects({ _tag: 'PayoutHasEnded', status: 'succeeded' }))
  it('rejects failure for another reason', () =>
    given([requested, failed])
      .when({ ...fail, reason: 'not_sent' })
      .rejects({ _tag: 'PayoutHasEnded', status: 'failed' }))

  it('gives the expected outcome of each command in each state', () => {
    const histories = {
      absent: [],
      pending: [requested],
      canceled: [requested, canceled],
      succeeded: [requested, succeeded],
      failed: [requested, failed],
    }
    const [gone, ended] = ['PayoutNotFound', 'PayoutHasEnded']
    expect(outcomeTable(Payout.decider, histories, [request, cancel, settle, fail])).toEqual({
      absent: { RequestPayout: 'PayoutRequested', CancelPayout: gone, SettlePayout: gone, FailPayout: gone },
      pending: {
        RequestPayout: 'nothing',
        CancelPayout: 'PayoutCanceled',
        SettlePayout: 'PayoutSucceeded',
        FailPayout: 'PayoutFailed',
      },
      canceled: { RequestPayout: 'nothing', CancelPayout: 'nothing', SettlePayout: ended, FailPayout: ended },
      succeeded: { RequestPayout: 'nothing', CancelPayout: ended, SettlePayout: 'nothing', FailPayout: ended },
      failed: { RequestPayout: 'nothing', CancelPayout: ended, SettlePayout: ended, FailPayout: 'nothing' },
    })
  })
})
