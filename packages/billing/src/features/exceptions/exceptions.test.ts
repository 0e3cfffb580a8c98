import { done, present, refused } from '../../testing/outcomes.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { units } from '../../testing/wallets.ts'

describe('exceptions', () => {
  let front: StoreFront
  beforeAll(async () => {
    front = await openStoreFront()
  })
  afterAll(() => front.close())

  it('the merchant who holds an exception can list and retrieve it', async () => {
    const { exceptions } = front.billing
    const hash = await front.pay('hello', [units(2.5)])
    await front.platform.shown()
    const { resources } = await exceptions.list({ ...front.scope, limit: 10 }, null)()
    expect(resources).toMatchObject([
      {
        object: 'exception',
        kind: 'unmatched',
        status: 'open',
        asset_id: front.network.usdc.assetId,
        amount: '2.5 USDC',
        transaction_hash: hash,
        checkout_id: null,
        action: null,
        resolved_at: null,
      },
    ])
    const one = present(resources[0])
    expect(await done(exceptions.retrieve(front.scope, one.id))).toEqual(one)
    const other = { ...front.scope, merchantId: 'mer_other' }
    expect(await refused(exceptions.retrieve(other, one.id))).toEqual({ _tag: 'ExceptionNotFound' })
    expect((await exceptions.list({ ...other, limit: 10 }, null)()).resources).toEqual([])
  })
})
