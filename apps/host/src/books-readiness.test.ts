import type { NameCounts, Violation } from '@quittance/billing'
import { LedgerSequence, unixMs } from '@quittance/domain'
import { decoded, hashOf } from '@quittance/domain/testing'
import { alarmText } from './alarm.ts'
import { booksOf, booksReadiness } from './books-readiness.ts'

const named: NameCounts = {
  set_up: 4,
  payment: 3,
  awaiting_rate: 0,
  funding: 0,
  own: 0,
  exception: 0,
  refund: 1,
  return: 0,
  payout: 0,
  fee: 1,
  unexplained: 2,
}
const violation: Violation = {
  environment: 'mainnet',
  invariant: 'refunded_once',
  subject: 'refund-rf_1',
  detail: 'twice',
  foundAt: unixMs(0),
}
const row = { ledger: decoded(LedgerSequence, 7), transactionHash: hashOf(7), closedAt: unixMs(1), isOpen: true }
const unexplained = {
  due: async function* () {
    yield { id: 'exc_1', merchantId: 'mer_1', environment: 'testnet' as const, row }
  },
  countDue: async () => 2,
}
const readinessWith = async (violations: ReadonlyArray<Violation>) => {
  const present = async (environment: string) => violations.filter((each) => each.environment === environment)
  const services = { readModels: { unexplained }, violations: { present } }
  const workers = { testnet: { named: () => named }, mainnet: null }
  return booksReadiness(await booksOf(services, workers))
}

describe('the readiness of the books', () => {
  const ledgers = {
    testnet: { unexplained: 2, first_unexplained: { ledger: 7, transaction_hash: hashOf(7) }, named },
    mainnet: null,
  }
  it('shows unexplained movements without degrading the readiness', async () =>
    expect(await readinessWith([])).toEqual({ status: 'ok', ledgers, violations: [] }))
  it('a violated invariant degrades the readiness', async () => {
    const { environment, invariant, subject } = violation
    expect(await readinessWith([violation])).toEqual({
      status: 'degraded',
      ledgers,
      violations: [{ environment, invariant, subject, since: '1970-01-01T00:00:00.000Z' }],
    })
  })
  it('shows everybody the beginning of the id of a session alone, because who knows it may say who pays', async () => {
    const [checkout, invoice] = ['checkout-chk_034pjfbulQKYurklB3IPi1', 'invoice-inv_034pjfbulQKYurklB3IPi1']
    const shown = await readinessWith([checkout, invoice].map((subject) => ({ ...violation, subject })))
    expect(shown.violations.map(({ subject }) => subject)).toEqual(['checkout-chk_034pjfbu…', 'invoice-inv_034pjfbu…'])
  })
  it('raises an alarm for a violated invariant', () =>
    expect(alarmText({ _tag: 'InvariantViolated', ...violation })).toBe('ALARM: an invariant is violated'))
})
