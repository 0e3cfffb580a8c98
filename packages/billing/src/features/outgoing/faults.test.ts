import { hourMs, type IntentId, minuteMs, stroops } from '@quittance/domain'
import { keyPairFromSeed } from '@quittance/ledger'
import type { Faults } from '@quittance/sandbox'
import { channelKey } from '../../stores/vault/vault-signer.ts'
import { acceptLog } from '../../testing/accept-log.ts'
import { present, right } from '../../testing/outcomes.ts'
import { openTill, type Till } from '../../testing/till.ts'
import { units } from '../../testing/wallets.ts'

describe('outgoing money', () => {
  let till: Till
  beforeAll(async () => {
    till = await openTill()
    // Its channels are set up, and a first payment is through.
    await till.want()
    await passes(3)
  })
  afterEach(() => {
    till.network.faults.losesSubmissions = false
    fault({})
  })
  afterAll(() => till.close())

  const fault = (faults: Faults): void => void right(till.network.sandbox.faults.set(faults))
  const passes = async (count: number, ms = 1_000): Promise<void> => {
    for (let n = 0; n < count; n++) await till.pass(ms)
  }
  /** The transactions that an intent has stood in, the first one first. */
  const transactionsOf = async (id: IntentId): Promise<ReadonlyArray<string>> =>
    (await till.eventsOf(`intent-${id}`))
      .filter(({ type }) => type === 'IntentAttached')
      .map(({ data }) => String(data.transactionHash))
  const paidBy = async (work: () => Promise<unknown>): Promise<bigint> => {
    const before = await till.balanceOf(till.payer.account)
    await work()
    return (await till.balanceOf(till.payer.account)) - before
  }

  it.each<readonly [string, Faults]>([
    ['a reply that is lost', { lose_reply: { times: 1 } }],
    ['a transaction that a node forgets', { drop: { times: 1 } }],
    ['a ledger that takes it late', { include_late: { ledgers: 3, times: 1 } }],
    ['a node that is late', { lag: { ledgers: 2, times: 6 } }],
  ])('pays once, by one transaction, despite %s', async (_, faults) => {
    fault(faults)
    const id = await till.want()
    expect(await paidBy(() => passes(8))).toBe(units(1))
    expect(await till.intent(id)).toMatchObject({ status: 'settled' })
    expect(await transactionsOf(id)).toHaveLength(1)
    expect(till.worker.troubles()).toEqual([])
  })

  it('pays by another transaction with the same number, once the first is proven dead', async () => {
    till.network.faults.losesSubmissions = true
    const id = await till.want()
    await till.step()
    await passes(2, minuteMs)
    expect(await till.intent(id)).toMatchObject({ status: 'attached' })
    await till.pass(1_000)
    till.network.faults.losesSubmissions = false
    expect(await paidBy(() => passes(4))).toBe(units(1))
    const [first, second, ...more] = await transactionsOf(id)
    expect(more).toEqual([])
    expect(await till.typesOf(`stellartx-${first}`)).toEqual([
      'TransactionPrepared',
      'TransactionReleased',
      'TransactionDied',
      'TransactionClosed',
    ])
    const rows = await till.transactions()
    const numbers = [first, second].map((hash) => present(rows.find((row) => row.id === hash)).row)
    expect(numbers.map(({ sourceAccount, accountSequence }) => [sourceAccount, accountSequence])).toEqual(
      Array(2).fill([numbers[0]?.sourceAccount, numbers[0]?.accountSequence]),
    )
    expect(await till.intent(id)).toMatchObject({ status: 'settled', attempts: 1 })
  })

  it('gives up an intent after five dead transactions in a row', async () => {
    till.network.faults.losesSubmissions = true
    const id = await till.want()
    await till.step()
    await passes(7, 3 * minuteMs)
    expect(await till.intent(id)).toMatchObject({ status: 'given_up', attempts: 5 })
    till.network.faults.losesSubmissions = false
    expect(await paidBy(() => passes(2, 3 * minuteMs))).toBe(0n)
    expect(await transactionsOf(id)).toHaveLength(5)
  })

  it('pays by the same transaction at a higher bid, recorded before it is sent, when fees rise unnoticed', async () => {
    fault({ fee_surge: { base_fee: 5_000 }, server_error: { methods: ['getFeeStats'] } })
    const id = await till.want()
    await till.step()
    expect(await paidBy(() => passes(3))).toBe(units(1))
    const [hash, ...more] = await transactionsOf(id)
    expect(more).toEqual([])
    const events = await till.eventsOf(`stellartx-${hash}`)
    expect(events.map(({ type }) => type)).toEqual([
      'TransactionPrepared',
      'TransactionReleased',
      'FeeBumped',
      'FeeBumped',
      'TransactionSucceeded',
      'TransactionClosed',
    ])
    const bids = events.filter(({ type }) => type === 'FeeBumped').map(({ data }) => data.fee)
    expect(bids).toEqual(['1000', '10000'])
    const outer = String(events[3]?.data.transactionHash)
    expect(outer).not.toBe(hash)
    expect(await till.intent(id)).toMatchObject({ status: 'settled', end: { transactionHash: outer } })
    const { ledgerTransactions } = await till.platform.shown()
    expect(await ledgerTransactions.withKey(outer)).toMatchObject([
      { id: hash, row: { fees: [{ feeCharged: stroops(10_000n) }] } },
    ])
  })

  it('pays an intent although fees rise while it waits in the queue', async () => {
    const id = await till.want()
    await till.step()
    fault({ fee_surge: { base_fee: 5_000 } })
    expect(await paidBy(() => passes(14))).toBe(units(1))
    expect(await transactionsOf(id)).toHaveLength(1)
  })

  it('delays payments and raises a trouble while fees are above the cap', async () => {
    fault({ fee_surge: { base_fee: 200_000 } })
    const id = await till.want()
    await till.step()
    await till.pass()
    expect(till.worker.troubles()).toMatchObject([{ _tag: 'FeeCapReached', feeCap: 100_000n }])
    fault({})
    expect(await paidBy(() => passes(3))).toBe(units(1))
    expect(await till.intent(id)).toMatchObject({ status: 'settled' })
    expect(till.worker.troubles()).toEqual([])
  })

  it('pays by the next transaction when another payment in the first one cannot be made', async () => {
    const assetId = till.network.usdc.assetId
    const [good, bad, other] = [
      await till.want(),
      await till.want(till.payer.account, units(1), { assetId }),
      await till.want(),
    ]
    expect(await paidBy(() => passes(5))).toBe(units(2))
    expect(await till.intent(bad)).toMatchObject({ status: 'refused', end: { code: 'paymentUnderfunded' } })
    for (const id of [good, other])
      expect(await till.intent(id)).toMatchObject({ status: 'settled', collateralFailures: 1 })
  })

  it('pays through another channel, and raises a trouble, when one channel cannot pay fees', async () => {
    const keys = await Promise.all(
      [1, 2].map((number) => till.services.vault.carriage.withSeed(channelKey('testnet', number), keyPairFromSeed)),
    )
    const drained = present(keys[0])
    // What is left is its reserve, of which nothing can be paid.
    const rest = stroops((await till.balanceOf(drained.accountId)) - 20_000_100n)
    const { assetId } = till.network.xlm
    till.wallets.payFrom(drained.secret, { to: till.other.account, asset: assetId, parts: [rest], memo: null })
    await acceptLog(till)
    const id = await till.want()
    await till.pass()
    expect(till.worker.troubles()).toEqual([{ _tag: 'FeeSourceCannotPay', account: drained.accountId }])
    await passes(2)
    expect(await till.intent(id)).toMatchObject({ status: 'settled' })
    expect(till.worker.troubles()).toEqual([])
  })

  it('pays a waiting intent after hours without a worker', async () => {
    const id = await till.want()
    await till.step()
    till.network.wait(2 * hourMs)
    expect(await paidBy(() => passes(3))).toBe(units(1))
    expect(await till.intent(id)).toMatchObject({ status: 'settled', attempts: 1 })
  })
})
