import { LedgerSequence } from '../shared/incoming-payment.ts'
import { asText } from '../shared/text.ts'
import { count, unixMs } from '../shared/units.ts'
import { decoded, hashOf, merchantAccount, start } from '../testing/examples.ts'
import { scenario } from '../testing/scenario.ts'
import { type ForgottenTransaction, isAccepted, LogHistory, type LogMark } from './index.ts'

const { given } = scenario(LogHistory.decider)
const ledger = (sequence: number) => decoded(LedgerSequence, sequence)
const mark = (revision: number): LogMark => ({
  position: asText('17'),
  stream: asText('payment-1'),
  revision: count(revision),
  hash: asText('ab'.repeat(32)),
  at: unixMs(start),
})
const report = { type: 'ReportRollback' as const, lacked: [mark(1)], foundAt: unixMs(start + 1) }
const found = { type: 'LogRollbackFound' as const, data: { lacked: [mark(1)], foundAt: unixMs(start + 1) } }
const forgotten: ForgottenTransaction = {
  environment: 'testnet',
  account: merchantAccount,
  transactionHash: hashOf(1),
  ledger: ledger(100),
}
const suspect = { type: 'ReportForgottenTransaction' as const, ...forgotten }
const suspected = { type: 'ForgottenTransactionFound' as const, data: forgotten }
const acceptance = {
  by: asText('operator'),
  reason: asText('the disk died'),
  acceptedAt: unixMs(start + 2),
  through: { testnet: ledger(120), mainnet: null },
  isForced: false,
}
const accept = { type: 'AcceptLog' as const, ...acceptance }
const accepted = {
  type: 'LogAccepted' as const,
  data: { ...acceptance, lacked: [mark(1)], forgotten: [forgotten] },
}

describe('a log that went back', () => {
  it('records the events that the log lacks', () => given([]).when(report).then([found]))
  it('records each lacked event once', () =>
    given([found])
      .when({ ...report, lacked: [mark(1), mark(2), mark(2)] })
      .then([{ type: 'LogRollbackFound', data: { lacked: [mark(2)], foundAt: report.foundAt } }]))
  it('records nothing when the same loss is reported again', () => given([found]).when(report).then([]))
  it('records a forgotten transaction of the ledger', () => given([]).when(suspect).then([suspected]))
  it('records one forgotten transaction of a network until a person accepts', () =>
    given([suspected])
      .when({ ...suspect, transactionHash: hashOf(2), ledger: ledger(101) })
      .then([]))
  it('records a forgotten transaction of the other network too', () =>
    given([suspected])
      .when({ ...suspect, environment: 'mainnet' })
      .then([{ type: 'ForgottenTransactionFound', data: { ...forgotten, environment: 'mainnet' } }]))
  it('is accepted with everything that was found', () => given([found, suspected]).when(accept).then([accepted]))
  it('is accepted once', () => given([found, suspected, accepted]).when(accept).then([]))
  it('records no acceptance of a sound log', () => given([]).when(accept).then([]))
})

describe('an accepted log', () => {
  const { evolve, initial } = LogHistory.decider
  const events = [found, suspected, accepted]
  it('has nothing left to accept', () =>
    expect(events.reduce(evolve, initial)).toEqual({ lacked: [], forgotten: [], acceptances: [accepted.data] }))
  it('does not report accepted losses again', () => {
    given(events).when(report).then([])
    const state = events.reduce(evolve, initial)
    expect([mark(1), mark(2)].map((each) => isAccepted(state, each))).toEqual([true, false])
  })
  it.each([
    [120, 'testnet', false],
    [121, 'testnet', true],
    [1, 'mainnet', true],
  ] as const)('suspects a forgotten transaction in ledger %i of the %s: %p', (sequence, environment, isSuspected) => {
    const data = { ...forgotten, environment, ledger: ledger(sequence) }
    given(events)
      .when({ type: 'ReportForgottenTransaction', ...data })
      .then(isSuspected ? [{ type: 'ForgottenTransactionFound', data }] : [])
  })
})
