import { asText, unixMs } from '@quittance/domain'
import type { PageRequest } from '@quittance/projections'
import fc from 'fast-check'
import { startNetwork, type TestNetwork } from '../../testing/network.ts'
import { done, present } from '../../testing/outcomes.ts'
import { openPlatform, type TestPlatform, temporaryFolder } from '../../testing/platform.ts'
import { command, openShop, someone } from '../../testing/shop.ts'

const noEmail = null
const [landline, mobile] = ['+49 30 1234567', '+49 170 7654321']

describe('customers found by email and phone', () => {
  let network: TestNetwork
  let folder: ReturnType<typeof temporaryFolder>
  let platform: TestPlatform
  let merchantId: string
  beforeAll(async () => {
    network = await startNetwork()
    folder = temporaryFolder()
    platform = await openPlatform(network, folder.path)
  })
  beforeEach(async () => {
    merchantId = await openShop(platform)
  })
  afterAll(async () => {
    await platform.close()
    await network.close()
    folder.remove()
  })

  let created = 0
  /** Each is made a second after the one before. */
  const later = (environment: 'testnet' | 'mainnet' = 'testnet') => {
    created += 1
    return command(platform, merchantId, { environment, at: unixMs(Date.UTC(2026, 0) + created * 1_000) })
  }
  const create = async (email: string | null, phone: string | null = null, context = later()) => {
    const made = await done(platform.billing.customers.createAll(context, [someone(email, 'Ada', phone)]))
    return present(made[0]).id
  }
  const found = async (who: { readonly email?: string; readonly phone?: string }, page: Partial<PageRequest> = {}) => {
    const request = { merchantId, environment: 'testnet' as const, limit: 10, ...page }
    const sought = { email: null, phone: null, ...who }
    const { resources, hasMore } = await done(platform.billing.customers.find(request, sought))
    return { ids: resources.map(({ id }) => id), hasMore }
  }
  const just = (...ids: ReadonlyArray<string>) => ({ ids, hasMore: false })

  it('are the one with the email, in any case and with any space around it', async () => {
    const ada = await create('Ada@Example.org')
    await create('bob@example.org')
    expect(await found({ email: ' ada@example.ORG ' })).toEqual(just(ada))
    expect(await found({ email: 'nobody@example.org' })).toEqual(just())
  })

  it('are all with the phone number, however it is written, newest first', async () => {
    const one = await create(noEmail, landline)
    await create(noEmail, mobile)
    const two = await create('two@example.org', '+49-30-1234567')
    expect(await found({ phone: '+49301234567' })).toEqual(just(two, one))
    expect(await found({ phone: '49301234567' })).toEqual(just())
  })

  it('are those with both, when both are asked for', async () => {
    const ada = await create('ada@example.org', landline)
    await create('bob@example.org', landline)
    expect(await found({ email: 'ada@example.org', phone: landline })).toEqual(just(ada))
    expect(await found({ email: 'ada@example.org', phone: mobile })).toEqual(just())
  })

  it('are all when neither is asked for', async () => {
    const [one, two] = [await create(noEmail), await create('two@example.org')]
    expect(await found({})).toEqual(just(two, one))
  })

  it('are none of another merchant or environment', async () => {
    await create('ada@example.org', landline)
    await create('ada@example.org', landline, later('mainnet'))
    const others = { merchantId: await openShop(platform) }
    expect(await found({ email: 'ada@example.org' }, others)).toEqual(just())
    expect(await found({ phone: landline }, others)).toEqual(just())
    const [testnet, mainnet] = [
      await found({ phone: landline }),
      await found({ phone: landline }, { environment: 'mainnet' }),
    ]
    expect([testnet.ids.length, mainnet.ids.length]).toEqual([1, 1])
    expect(testnet.ids).not.toEqual(mainnet.ids)
    expect(await found({ email: 'ada@example.org' }, { environment: 'mainnet' })).toEqual(mainnet)
  })

  it('are found by what they have now', async () => {
    const ada = await create('old@example.org', landline)
    const patch = { email: 'new@example.org', phone: mobile }
    await done(platform.billing.customers.update(command(platform, merchantId), ada, patch))
    expect(await found({ email: 'old@example.org' })).toEqual(just())
    expect(await found({ phone: landline })).toEqual(just())
    expect(await found({ email: 'new@example.org', phone: mobile })).toEqual(just(ada))
  })

  it('are not found once they are deleted, and the next one with the email is', async () => {
    const ada = await create('ada@example.org', landline)
    await done(platform.billing.customers.remove(command(platform, merchantId), ada))
    expect(await found({ email: 'ada@example.org' })).toEqual(just())
    expect(await found({ phone: landline })).toEqual(just())
    const next = await create('ada@example.org')
    expect(await found({ email: 'ada@example.org' })).toEqual(just(next))
  })

  it('are found by their own email after a merge', async () => {
    const [from, into] = [await create('from@example.org'), await create('into@example.org')]
    const decision = { from, into, reason: asText('one person'), by: asText('Ada') }
    await done(platform.billing.customers.merge(command(platform, merchantId), decision))
    expect(await found({ email: 'from@example.org' })).toEqual(just(from))
    expect(await found({ email: 'into@example.org' })).toEqual(just(into))
  })

  it('are the whole list with all others left out, page by page', async () => {
    const emails = ['a@example.org', 'b@example.org', 'c@example.org']
    const now = platform.services.clock.now('testnet')
    const people = await Promise.all(
      Array.from({ length: 8 }, async (_, n) => {
        const [email = null, phone = null, at] = [emails[n], [landline, mobile][n % 3], unixMs(now - n * 1_000)]
        return { id: await create(email, phone, command(platform, merchantId, { at })), email, phone, at }
      }),
    )
    const moments = fc.option(fc.constantFrom(...people.map(({ at }) => at)), { nil: undefined })
    const asked = fc.record({
      email: fc.option(fc.constantFrom(...emails), { nil: undefined }),
      phone: fc.constantFrom(undefined, landline, mobile),
      cursor: fc.option(fc.constantFrom(...people.map(({ id }) => id)), { nil: undefined }),
      isBackward: fc.boolean(),
      createdFrom: moments,
      createdBefore: moments,
      limit: fc.integer({ min: 1, max: 4 }),
    })
    await fc.assert(
      fc.asyncProperty(asked, async ({ email, phone, cursor, isBackward, createdFrom, createdBefore, limit }) => {
        const all = people.filter(
          (each) =>
            (email === undefined || each.email === email) &&
            (phone === undefined || each.phone === phone) &&
            (createdFrom === undefined || each.at >= createdFrom) &&
            (createdBefore === undefined || each.at < createdBefore) &&
            (cursor === undefined || (isBackward ? each.id > cursor : each.id < cursor)),
        )
        const nearest = isBackward && cursor !== undefined ? all.slice(-limit) : all.slice(0, limit)
        const who = { ...(email && { email }), ...(phone && { phone }) }
        const bounds = { ...(createdFrom && { createdFrom }), ...(createdBefore && { createdBefore }) }
        const from = cursor === undefined ? {} : isBackward ? { endingBefore: cursor } : { startingAfter: cursor }
        expect(await found(who, { limit, ...bounds, ...from })).toEqual({
          ids: nearest.map(({ id }) => id),
          hasMore: all.length > limit,
        })
      }),
      { numRuns: 300, seed: 20_261_124 },
    )
  })
})
