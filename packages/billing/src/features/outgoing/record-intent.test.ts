import { asText, ExceptionId, IntentId, unixMs } from '@quittance/domain'
import { exampleId, examplePayout, start } from '@quittance/domain/testing'
import { startNetwork, type TestNetwork } from '../../testing/network.ts'
import { done } from '../../testing/outcomes.ts'
import { openPlatform, type TestPlatform, temporaryFolder } from '../../testing/platform.ts'
import { intentIdOf, recordIntent } from './record-intent.ts'

const scope = { merchantId: 'mer_1', environment: 'testnet' as const }
const owner = asText(exampleId(ExceptionId, 1))
const wanted = { ...examplePayout, owner, at: unixMs(start + 5_000) }

describe('recordIntent', () => {
  let network: TestNetwork
  let folder: ReturnType<typeof temporaryFolder>
  let platform: TestPlatform
  beforeAll(async () => {
    network = await startNetwork()
    folder = temporaryFolder()
    platform = await openPlatform(network, folder.path)
  })
  afterAll(async () => {
    await platform.close()
    await network.close()
    folder.remove()
  })

  it('records one intent for an owner, however often it is called', async () => {
    const id = await done(recordIntent(platform.services, scope, wanted))
    expect(IntentId.is(id)).toBe(true)
    expect(id).toBe(intentIdOf(scope, owner))
    expect(
      await done(recordIntent(platform.services, scope, { ...wanted, at: unixMs(start + 9_000), memo: null })),
    ).toBe(id)
    const { intents } = await platform.shown()
    expect(await intents.withKey(owner)).toMatchObject([{ id, ...scope, row: { details: examplePayoutOf(owner) } }])
  })

  it('gives an owner different intents in each environment', () =>
    expect(intentIdOf({ environment: 'mainnet' }, owner)).not.toBe(intentIdOf(scope, owner)))

  it('throws when the owner is not an id', () => expect(() => intentIdOf(scope, 'somebody')).toThrow(RangeError))
})

const examplePayoutOf = (of: typeof owner) => ({ ...examplePayout, owner: of })
