import { onChosenStore } from '../testing/on-chosen-store.ts'
import type { TestDirectory } from '../testing/run-cli.ts'
import { merchantIn } from '../testing/shapes.ts'

describe('merchant payout', () => {
  let directory: TestDirectory
  beforeAll(() => {
    directory = onChosenStore()
  })
  afterAll(() => directory.remove())

  const refusal = (...words: ReadonlyArray<string>) => directory.refusal('merchant', ...words)

  it('refuses payouts to unregistered, waiting and malformed destinations, and unknown payouts', async () => {
    merchantIn(await directory.json('merchant', 'create', '--name', 'Ada'))
    const [xlm] = JSON.parse((await directory.inside('merchant', 'balance', '--json')).stdout)
    expect(xlm).toMatchObject({ object: 'balance', asset_id: 'native', held: '0', in_flight: '0' })
    const address = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ'
    const made = await directory.json('merchant', 'destination', '--address', address, '--label', 'our bank')
    expect(made).toMatchObject({ object: 'payout_destination', address, via: 'waiting', label: 'our bank' })
    const wanted = ['payout', '--asset', 'native', '--amount', 'all', '--destination', address]
    expect(await refusal(...wanted)).toEqual([1, 'destination_not_usable_yet'])
    expect(await refusal('payout', '--asset', 'native')).toEqual([2, 'usage'])
    expect(await refusal('payout', '--asset', 'native', '--amount', '-1', '--destination', address)).toEqual([
      2,
      'usage',
    ])
    expect(await refusal('payout', '--cancel', 'po_nobody')).toEqual([1, 'payout_not_found'])
    expect(await refusal('destination', '--address', 'GABC')).toEqual([1, 'address_malformed'])
    expect(await directory.json('merchant', 'payouts')).toEqual([])
  })
})
