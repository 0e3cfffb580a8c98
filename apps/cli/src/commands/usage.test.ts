import { type TestDirectory, testDirectory } from '../testing/run-cli.ts'
import { merchantIn } from '../testing/shapes.ts'

describe('usage', () => {
  let directory: TestDirectory
  beforeAll(() => {
    directory = testDirectory()
  })
  afterAll(() => directory.remove())

  it.each([
    [['--from', '2026-13']],
    [['--from', '2026-02-30']],
    [['--to', '2026-1-1']],
    [['--to', 'yesterday']],
    [['--from', '2026-11', '--to', '2026-11-01']],
  ])('rejects malformed or empty ranges: %j', async (words) => {
    expect(await directory.refusal('usage', ...words)).toEqual([2, 'usage'])
  })

  it('lists merchants who used nothing, and the operator', async () => {
    const { merchantId } = merchantIn(await directory.json('merchant', 'create', '--name', 'Ada'))
    const range = ['--from', '2026-02', '--to', '2026-11-23T12:30:15Z']
    const platform_fees = { booked: [], collected: [], owed: [] }
    const nothing = { sales: [], renewals: [], refunds: [], payouts: [], platform_fees, transactions: 0 }
    const fees = { operator: '0', merchant: '0', others: '0' }
    expect(await directory.json('usage', ...range)).toEqual({
      environment: 'testnet',
      from: '2026-02-01T00:00:00.000Z',
      to: '2026-11-23T12:30:15.000Z',
      usage: [
        { merchant_id: merchantId, name: 'Ada', ...nothing, fees },
        { merchant_id: null, name: null, ...nothing, fees },
      ],
    })
    expect(await directory.refusal('usage', '--merchant', 'mer_none')).toEqual([1, 'merchant_not_found'])
  })
})
