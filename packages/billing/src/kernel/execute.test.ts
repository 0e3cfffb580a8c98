import { asText, Customer, type CustomerCommand, CustomerId, WalletId } from '@quittance/domain'
import { accountOf } from '@quittance/domain/testing'
import type { EventStore } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import { losingReplies } from '../testing/failing-stores.ts'
import { startNetwork, type TestNetwork } from '../testing/network.ts'
import { done, refused } from '../testing/outcomes.ts'
import { openPlatform, type TestPlatform, temporaryFolder } from '../testing/platform.ts'
import { command } from '../testing/shop.ts'
import { createdId } from './derive.ts'
import { type CommandContext, execute } from './execute.ts'

describe('execute', () => {
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

  const create: CustomerCommand = { type: 'CreateCustomer', profile: null, emailHash: null, phoneHash: null }
  const remove: CustomerCommand = { type: 'DeleteCustomer' }
  const newContext = (changed: Partial<CommandContext> = {}) => command(platform, 'mer_one', changed)
  const run = (id: string, context: CommandContext, given: CustomerCommand, store: EventStore = platform.log) =>
    execute(store)(Customer, id, context, Customer.decider.decide(given))
  const newId = () => createdId(CustomerId, platform.services.clock.now('testnet'), platform.services.freshId())
  const types = async (id: string) =>
    (await done(platform.log.readStream(`customer-${id}`))).events.map(({ type }) => type)

  it('answers a repeated command from the state right after its own events, and appends nothing', async () => {
    const [id, first] = [newId(), newContext()]
    const answer = await done(run(id, first, create))
    await done(run(id, newContext(), remove))
    expect(await done(run(id, first, create))).toEqual(answer)
    expect(answer.state.status).toBe('active')
    expect(await types(id)).toEqual(['CustomerCreated', 'CustomerDeleted'])
  })

  it('appends nothing for a satisfied command', async () => {
    const id = newId()
    await done(run(id, newContext(), create))
    await done(run(id, newContext(), remove))
    expect((await done(run(id, newContext(), remove))).state.status).toBe('deleted')
    expect(await types(id)).toEqual(['CustomerCreated', 'CustomerDeleted'])
  })

  it('decides again after a conflict, and returns the new rejection', async () => {
    const id = newId()
    await done(run(id, newContext(), create))
    let interfere = async (): Promise<void> => {
      interfere = async () => undefined
      await done(run(id, newContext(), remove))
    }
    const slow: EventStore = {
      ...platform.log,
      append:
        (...request) =>
        async () => {
          await interfere()
          return platform.log.append(...request)()
        },
    }
    const link: CustomerCommand = {
      type: 'LinkWallet',
      walletId: createdId(WalletId, platform.services.clock.now('testnet'), platform.services.freshId()),
      address: accountOf(9),
      metadata: null,
      via: 'proof',
    }
    expect(await refused(run(id, newContext(), link, slow))).toEqual({ _tag: 'CustomerIsDeleted' })
  })

  it('gives up after too many conflicts', async () => {
    const contended: EventStore = {
      ...platform.log,
      append: () => async () => E.left({ _tag: 'WrongExpectedRevision', expected: -1n, actual: 0n }),
    }
    const id = newId()
    expect(await refused(run(id, newContext(), create, contended))).toEqual({
      _tag: 'TooManyConflicts',
      stream: `customer-${id}`,
    })
  })

  it('loses nothing when two processes write to one stream at once', async () => {
    const second = await openPlatform(network, folder.path)
    const id = newId()
    await done(run(id, newContext(), create))
    const link = (n: number) =>
      run(
        id,
        newContext(),
        {
          type: 'LinkWallet',
          walletId: createdId(WalletId, platform.services.clock.now('testnet'), platform.services.freshId()),
          address: accountOf(n),
          metadata: null,
          via: 'proof',
        },
        n % 2 === 0 ? platform.log : second.log,
      )
    await Promise.all(Array.from({ length: 8 }, (_, n) => done(link(n))))
    expect(await types(id)).toEqual(['CustomerCreated', ...Array.from({ length: 8 }, () => 'WalletLinked')])
    await second.close()
  })

  it.each([1, 2, 3])(
    'sends the identical bytes again while %d replies are lost, and they are written once',
    async (n) => {
      const sent: Array<unknown> = []
      const id = newId()
      const { state } = await done(run(id, newContext(), create, losingReplies(n, sent)(platform.log)))
      expect(state.status).toBe('active')
      expect(sent).toHaveLength(n + 1)
      expect(sent.every((each) => JSON.stringify(each, text) === JSON.stringify(sent[0], text))).toBe(true)
      expect(await types(id)).toEqual(['CustomerCreated'])
    },
  )

  it('reports an unknown outcome when no reply comes; a repeated command finds its events', async () => {
    const [id, context] = [newId(), newContext()]
    const outcome = await refused(run(id, context, create, losingReplies(99)(platform.log)))
    expect(outcome._tag).toBe('OutcomeUnknown')
    expect((await done(run(id, context, create))).state.status).toBe('active')
    expect(await types(id)).toEqual(['CustomerCreated'])
  })

  it.each([
    ['another merchant', { merchantId: 'mer_other' }],
    ['the other environment', { environment: 'mainnet' as const }],
  ])("does not find a stream of %s's", async (_, foreign) => {
    const id = newId()
    await done(run(id, newContext(), create))
    const outcome = await refused(run(id, newContext(foreign), remove))
    expect(outcome).toEqual({ _tag: 'ForeignStream', stream: `customer-${id}` })
    expect(await types(id)).toEqual(['CustomerCreated'])
  })

  it('writes nothing and throws when the write alongside throws', async () => {
    const id = newId()
    const alongside = (): never => {
      throw new RangeError(asText('broken'))
    }
    await expect(run(id, newContext({ alongside }), create)).rejects.toThrow('broken')
    expect(await types(id)).toEqual([])
  })
})

const text = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}` : value)
