import { keyPairFromSeed } from '@quittance/ledger'
import { onChosenStore } from '../testing/on-chosen-store.ts'
import type { TestDirectory } from '../testing/run-cli.ts'

const why = ['--reason', 'a key was stolen']

describe('freeze, unfreeze and freezes', () => {
  let directory: TestDirectory
  let merchantId = ''
  beforeAll(async () => {
    directory = onChosenStore()
    merchantId = JSON.parse(
      (await directory.inside('merchant', 'create', '--name', 'Ada', '--json')).stdout,
    ).merchant_id
  })
  afterAll(() => directory.remove())
  const list = () => directory.json('freezes')

  it('freezes once, lists who did it and why, and unfreezes', async () => {
    const decision = { scope: 'payouts', merchant_id: merchantId, waiting: 0, by: 'Ada', reason: 'a key was stolen' }
    const words = ['payouts', '--merchant', merchantId, '--by', 'Ada', ...why]
    expect(await directory.json('freeze', ...words)).toEqual({ ...decision, frozen: true, changed: true })
    expect(await directory.json('freeze', ...words)).toEqual({ ...decision, frozen: true, changed: false })
    expect(await list()).toEqual([{ ...decision, at: expect.stringMatching(/Z$/) }])
    expect((await directory.inside('freezes')).stdout).toMatch(
      new RegExp(`^SCOPE .*\\npayouts +${merchantId} +\\S+ +Ada +0 +a key was stolen\\n$`),
    )
    expect(await directory.json('unfreeze', ...words)).toEqual({ ...decision, frozen: false, changed: true })
    expect(await directory.json('unfreeze', ...words)).toEqual({ ...decision, frozen: false, changed: false })
    expect(await list()).toEqual([])
    expect((await directory.inside('freezes')).stdout).toBe('Nothing is frozen.\n')
  })

  it('suspends and reinstates a merchant', async () => {
    const words = ['--merchant', merchantId, ...why]
    const decision = { scope: 'everything', merchant_id: merchantId, waiting: 0, by: 'operator', reason: why[1] }
    expect(await directory.json('merchant', 'suspend', ...words)).toEqual({ ...decision, frozen: true, changed: true })
    expect(await list()).toMatchObject([decision])
    expect(await directory.json('merchant', 'reinstate', ...words)).toMatchObject({ frozen: false, changed: true })
    expect(await list()).toEqual([])
  })

  it('closes a merchant, who has to have registered the destination', async () => {
    const words = ['merchant', 'close', '--merchant', merchantId, ...why, '--refund-days', '30']
    const address = keyPairFromSeed(new Uint8Array(32).fill(79)).accountId
    expect(await directory.refusal(...words, '--destination', address)).toEqual([1, 'payout_destination_not_found'])
    expect(await directory.refusal(...words, '--refund-days', '1')).toEqual([2, 'usage'])
    await directory.json('merchant', 'destination', '--address', address)
    const closed = { merchant_id: merchantId, refunds_until: expect.stringMatching(/Z$/), canceled: 0, by: 'operator' }
    expect(await directory.json(...words, '--destination', address)).toMatchObject({ ...closed, changed: true })
    expect(await directory.json(...words, '--destination', address)).toMatchObject({ ...closed, changed: false })
  })

  it.each([
    ['another scope', [2, 'usage'], ['everything', ...why]],
    ['no scope', [2, 'usage'], why],
    ['no reason', [2, 'usage'], ['sales']],
    ['a reason with control characters', [2, 'usage'], ['sales', '--reason', 'a\u0007b']],
    ['an unknown merchant', [1, 'merchant_not_found'], ['sales', '--merchant', 'mer_nobody', ...why]],
  ] as const)('refuses %s', async (_, refusal, words) => {
    expect(await directory.refusal('freeze', ...words)).toEqual(refusal)
    expect(await list()).toEqual([])
  })
})
