import { unixMs } from '@quittance/domain'
import { openStoreDatabase, type StoreDatabase } from '../testing/store-database.ts'
import { FailureTag, isAlarming, pauseMs } from './failures.ts'
import { type Item, type Setbacks, setbacks as setbacksIn } from './setbacks.ts'

const item = (id: string, merchantId = 'mer_1'): Item => ({ merchantId, environment: 'testnet', id })
const defect = { failure: 'Defect', cause: 'Error: a test' } as const
const unreachable = { failure: 'LedgerUnreachable', cause: '{}' } as const
const at = (seconds: number) => unixMs(seconds * 1_000)
const notified = async (setbacks: Setbacks) =>
  (await setbacks.takeNotifications('testnet')).map(({ _tag, merchantId, loop, id }) => ({
    _tag,
    merchantId,
    loop,
    id,
  }))
const notification = (_tag: string, id: string, merchantId = 'mer_1') => ({ _tag, merchantId, loop: 'refunds', id })

describe('a setback', () => {
  let database: StoreDatabase
  let setbacks: Setbacks
  beforeEach(async () => {
    database = await openStoreDatabase()
    setbacks = setbacksIn(database.sql)
  })
  afterEach(() => database.close())

  it('pauses an item for longer with each failure in a row, and keeps the time of the first', async () => {
    const first = await setbacks.record('refunds', item('a'), defect, at(10))
    const second = await setbacks.record('refunds', item('a'), defect, at(11))
    expect(first).toEqual({ ...item('a'), loop: 'refunds', ...defect, attempts: 1, firstAt: at(10), nextAt: at(11) })
    expect(second).toEqual({ ...first, attempts: 2, nextAt: at(16) })
    expect(await setbacks.of('testnet', 'refunds')).toEqual([second])
    expect(await setbacks.nextDue('testnet')).toBe(at(16))
  })
  it('belongs to one loop and one environment', async () => {
    await setbacks.record('refunds', item('a'), defect, at(10))
    expect(await setbacks.of('testnet', 'reports')).toEqual([])
    expect(await setbacks.of('mainnet', 'refunds')).toEqual([])
    expect(await setbacks.nextDue('mainnet')).toBeNull()
    expect(await setbacks.counts('testnet')).toEqual([{ loop: 'refunds', failure: 'Defect', count: 1 }])
  })
  it('is announced once, to the first process that asks, and so is its end', async () => {
    await setbacks.record('refunds', item('a'), defect, at(10))
    expect(await notified(setbacks)).toEqual([notification('MerchantSetBack', 'a')])
    await setbacks.record('refunds', item('a'), defect, at(11))
    expect(await notified(setbacks)).toEqual([])
    expect(await setbacks.alarmed('testnet', 10)).toMatchObject([{ id: 'a', attempts: 2 }])
    await setbacks.clear('refunds', item('a'))
    expect(await setbacks.of('testnet', 'refunds')).toEqual([])
    expect(await setbacks.alarmed('testnet', 10)).toEqual([])
    expect(await notified(setbacks)).toEqual([notification('MerchantSetBackOver', 'a')])
    expect(await notified(setbacks)).toEqual([])
  })
  it('is not announced if it passes by itself', async () => {
    await setbacks.record('refunds', item('a'), unreachable, at(10))
    await setbacks.record('refunds', item('a'), unreachable, at(11))
    await setbacks.clear('refunds', item('a'))
    expect(await notified(setbacks)).toEqual([])
    for (let attempt = 1; attempt <= 3; attempt++) await setbacks.record('refunds', item('a'), unreachable, at(20))
    expect(await notified(setbacks)).toEqual([notification('MerchantSetBack', 'a')])
  })
  it('raises one alarm for all items of a merchant in a loop, which ends with the last of them', async () => {
    for (const id of ['a', 'b', 'c']) await setbacks.record('refunds', item(id), defect, at(10))
    await setbacks.record('refunds', item('d', 'mer_2'), defect, at(10))
    expect(await notified(setbacks)).toEqual([
      notification('MerchantSetBack', 'a'),
      notification('MerchantSetBack', 'd', 'mer_2'),
    ])
    await setbacks.clear('refunds', item('a'))
    await setbacks.clear('refunds', item('b'))
    expect(await notified(setbacks)).toEqual([])
    await setbacks.clear('refunds', item('c'))
    expect(await notified(setbacks)).toEqual([notification('MerchantSetBackOver', 'c')])
  })
  it('goes on if it begins again before its end was announced', async () => {
    await setbacks.record('refunds', item('a'), defect, at(10))
    await notified(setbacks)
    await setbacks.clear('refunds', item('a'))
    expect(await setbacks.record('refunds', item('a'), defect, at(30))).toMatchObject({ attempts: 1, firstAt: at(30) })
    expect(await notified(setbacks)).toEqual([])
    expect(await setbacks.alarmed('testnet', 10)).toMatchObject([{ id: 'a' }])
  })
})

describe('pauses', () => {
  const pauses = (failure: FailureTag) =>
    [1, 2, 3, 4, 5, 6, 7, 100].map((attempts) => pauseMs(failure, attempts) / 1_000)
  it('grow to five minutes for passing failures', () =>
    expect(pauses('StoreUnavailable')).toEqual([1, 5, 30, 60, 120, 300, 300, 300]))
  it('grow to an hour for failures that need action', () =>
    expect(pauses('MerchantNotReady')).toEqual([1, 5, 30, 120, 600, 3_600, 3_600, 3_600]))
  it('raise the alarm at once, or from the third failure', () => {
    const first = Object.keys(FailureTag.keys).filter((tag) => FailureTag.is(tag) && isAlarming(tag, 1))
    expect(first).toEqual(['ForeignStream', 'AmountTooLarge', 'MerchantNotReady', 'NetworkNotConfigured', 'Defect'])
    expect(Object.keys(FailureTag.keys).every((tag) => FailureTag.is(tag) && isAlarming(tag, 3))).toBe(true)
  })
})
