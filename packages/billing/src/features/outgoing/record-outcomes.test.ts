import { LedgerSequence, minuteMs, stroops, type TransactionHash } from '@quittance/domain'
import { decoded, hashOf } from '@quittance/domain/testing'
import type { TransactionOutcome } from '@quittance/ledger'
import { done, present } from '../../testing/outcomes.ts'
import { openTill, type Till } from '../../testing/till.ts'
import { recordOutcomes } from './record-outcomes.ts'
import type { SettlementTrouble } from './trouble.ts'

describe('the outcome of a transaction', () => {
  let till: Till
  let raised: Array<SettlementTrouble>
  let hash: TransactionHash
  beforeEach(async () => {
    till = await openTill()
    raised = []
    till.network.faults.losesSubmissions = true
    const id = await till.want()
    await till.pass()
    hash = present((await till.intent(id)).attachedTo)
  })
  afterEach(() => till.close())

  const outcome = (changed: Partial<TransactionOutcome> = {}): TransactionOutcome => ({
    _tag: 'Succeeded',
    transactionHash: hash,
    innerHash: null,
    ledger: decoded(LedgerSequence, 5_000),
    closedAt: till.network.now(),
    code: 'txSuccess',
    operationCodes: ['paymentSuccess'],
    feeCharged: stroops(100n),
    feeSource: till.other.account,
    ...changed,
  })
  /** A ledger that holds these, as far as they are ours. */
  const ingest = (...outcomes: ReadonlyArray<TransactionOutcome>): Promise<void> => {
    const { services } = till
    const raise = (trouble: SettlementTrouble) => void raised.push(trouble)
    const outcomesOf = (isOurs: (of: TransactionHash) => boolean) =>
      outcomes.filter(({ transactionHash, innerHash }) => isOurs(transactionHash) || (innerHash && isOurs(innerHash)))
    return done(recordOutcomes({ services, raise }, 'testnet', { outcomesOf, mandates: [] }))
  }
  const events = () => till.typesOf(`stellartx-${hash}`)
  const released = ['TransactionPrepared', 'TransactionReleased']

  it('records the outcome of a transaction once, however often its ledger is ingested', async () => {
    await ingest(outcome())
    await ingest(outcome())
    expect(await events()).toEqual([...released, 'TransactionSucceeded'])
    expect(raised).toEqual([])
  })

  it('ignores transactions of others', async () => {
    await ingest(outcome({ transactionHash: hashOf(1) }))
    expect(await events()).toEqual(released)
  })

  it("records the outcome of our transaction inside a stranger's fee bump, with the stranger's fee", async () => {
    await ingest(outcome({ transactionHash: hashOf(1), innerHash: hash }))
    const { ledgerTransactions } = await till.platform.shown()
    expect(await ledgerTransactions.withKey(hashOf(1))).toMatchObject([
      { id: hash, row: { status: 'succeeded', fees: [{ feeSource: till.other.account }] } },
    ])
  })

  it('keeps a transaction open when only its fee bump failed, and records the fee of the bump', async () => {
    await ingest(outcome({ _tag: 'BumpFailed', transactionHash: hashOf(1), innerHash: hash, code: 'txBadAuth' }))
    expect(await events()).toEqual([...released, 'FeeBumpFailed'])
    till.network.faults.losesSubmissions = false
    const before = await till.balanceOf(till.payer.account)
    await till.pass()
    await till.pass()
    expect((await till.balanceOf(till.payer.account)) - before).toBe(10_000_000n)
    expect(await events()).toEqual([...released, 'FeeBumpFailed', 'TransactionSucceeded', 'TransactionClosed'])
  })

  it('never changes a recorded outcome, and raises an alarm when a ledger contradicts it', async () => {
    for (const ms of [3 * minuteMs, 1_000]) await till.pass(ms)
    expect(await events()).toEqual([...released, 'TransactionDied', 'TransactionClosed'])
    await ingest(outcome())
    expect(await events()).toEqual([...released, 'TransactionDied', 'TransactionClosed'])
    expect(raised).toMatchObject([{ _tag: 'OutcomeContradicted', transactionHash: hash, ledger: 5_000 }])
  })
})
