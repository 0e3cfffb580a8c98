import { secondMs, unixMs } from '@quittance/domain'
import { sequence } from '@quittance/ledger/testing/ledgers'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { RoleLost } from '../kernel/fence.ts'
import type { FailureTag } from '../stores/setbacks/failures.ts'
import type { Item } from '../stores/setbacks/setbacks.ts'
import { openStoreFront, type StoreFront } from '../testing/store-front.ts'
import { eachIsolated, type IsolationServices, partsIsolated } from './each-isolated.ts'
import type { ProcessFailure } from './process-failure.ts'

const failures: Readonly<Record<Exclude<FailureTag, 'Defect'>, ProcessFailure>> = {
  ForeignStream: { _tag: 'ForeignStream', stream: 'refund-1' },
  TooManyConflicts: { _tag: 'TooManyConflicts', stream: 'refund-1' },
  ClaimLost: { _tag: 'ClaimLost' },
  StoreUnavailable: { _tag: 'StoreUnavailable', cause: new Error('a test') },
  OutcomeUnknown: { _tag: 'OutcomeUnknown', cause: 'a test' },
  RateUnavailable: { _tag: 'RateUnavailable', pair: 'XLM/USD', reason: 'SourceUnreachable', cause: 'a test' },
  ScreeningUnavailable: { _tag: 'ScreeningUnavailable', cause: 'a test' },
  AmountTooLarge: { _tag: 'AmountTooLarge' },
  LedgerUnreachable: { _tag: 'LedgerUnreachable', cause: 'a test' },
  MerchantNotReady: { _tag: 'MerchantNotReady', environment: 'testnet' },
  NetworkNotConfigured: { _tag: 'NetworkNotConfigured', environment: 'testnet' },
}
const item = (id: string, merchantId = 'mer_1'): Item => ({ merchantId, environment: 'testnet', id })

describe('eachIsolated', () => {
  let front: StoreFront
  let worked: Array<string> = []
  beforeEach(async () => {
    front = await openStoreFront()
    worked = []
  })
  afterEach(() => front.close())

  const pass = (
    items: ReadonlyArray<Item>,
    fails: (item: Item) => E.Either<ProcessFailure, unknown>,
    services: IsolationServices = front.services,
  ) =>
    eachIsolated(services, 'testnet', {
      loop: 'refunds',
      items,
      again: async (setback) => setback,
      work: async (each) => {
        worked.push(each.id)
        return fails(each)
      },
    })
  const failing =
    (...ids: ReadonlyArray<string>) =>
    ({ id }: Item): E.Either<ProcessFailure, void> =>
      ids.includes(id) ? E.left(failures.MerchantNotReady) : E.right(undefined)
  const present = () => front.services.setbacks.of('testnet', 'refunds')

  it.each(Object.values(failures))(
    'works on the other items after one fails by $_tag, and records it',
    async (failure) => {
      const done = await pass([item('a'), item('b'), item('c')], ({ id }) =>
        id === 'a' ? E.left(failure) : E.right(0),
      )
      expect(done).toEqual(E.right(undefined))
      expect(worked).toEqual(['a', 'b', 'c'])
      expect(await present()).toMatchObject([{ ...item('a'), failure: failure._tag, attempts: 1 }])
    },
  )
  it('works on the other items after one throws', async () => {
    await pass([item('a'), item('b')], ({ id }) => {
      if (id === 'a') throw new Error('a defect')
      return E.right(0)
    })
    expect(worked).toEqual(['a', 'b'])
    expect(await present()).toMatchObject([{ ...item('a'), failure: 'Defect', cause: 'Error: a defect' }])
  })
  it('ends at once and records nothing when this process has lost its role', async () => {
    const lost = new RoleLost('worker/testnet')
    const passed = pass([item('a'), item('b')], () => {
      throw lost
    })
    await expect(passed).rejects.toBe(lost)
    expect([worked, await present()]).toEqual([['a'], []])
  })
  it('retries a paused item when it is due, even after it has left the list', async () => {
    await pass([item('a')], failing('a'))
    await pass([item('a')], failing())
    expect(worked).toEqual(['a'])
    front.network.wait(secondMs)
    await pass([], failing())
    expect(worked).toEqual(['a', 'a'])
    expect(await present()).toEqual([])
  })
  it('ends with a failure that concerns everybody, and records nothing', async () => {
    const unavailable = { _tag: 'StoreUnavailable', cause: 'a test' } as const
    const closed: IsolationServices = {
      ...front.services,
      store: { ...front.services.store, readStream: () => TE.left(unavailable) },
    }
    expect(await pass([item('a'), item('b')], () => E.left(unavailable), closed)).toEqual(E.left(unavailable))
    const behind: IsolationServices = {
      ...front.services,
      caughtUp: { ...front.services.caughtUp, withLog: TE.left(unavailable) },
    }
    const defect = pass(
      [item('c')],
      () => {
        throw new Error('it is closed')
      },
      behind,
    )
    await expect(defect).rejects.toThrow('it is closed')
    expect(worked).toEqual(['a', 'c'])
    expect(await present()).toEqual([])
  })
  it.each([
    ['does not set back, while no node answers,', TE.left(failures.LedgerUnreachable), 0],
    ['sets back, while a node answers others,', TE.right({ sequence: sequence(9), closedAt: unixMs(9) }), 1],
  ] as const)('%s an item that cannot reach the ledger', async (_, latest, setBack) => {
    const network = front.services.networks.testnet
    if (network === null || (E.isLeft(await latest()) && setBack === 1)) throw new Error('a test')
    const latestLedger = () => async () => {
      const found = await latest()
      return E.isLeft(found) ? E.left({ _tag: 'LedgerUnreachable' as const, cause: 'a test' }) : found
    }
    const networks = {
      ...front.services.networks,
      testnet: { ...network, gateway: { ...network.gateway, latestLedger } },
    }
    await pass([item('a')], () => E.left(failures.LedgerUnreachable), { ...front.services, networks })
    expect(await present()).toHaveLength(setBack)
  })
  it('sets back a hundred items of a merchant one by one, and the others together', async () => {
    const many = Array.from({ length: 150 }, (_, n) => item(`a${n}`))
    const all = failing(...many.map(({ id }) => id))
    await pass([...many, item('z', 'mer_2')], all)
    expect(await present()).toHaveLength(101)
    expect(worked).toContain('z')
    expect(worked).toHaveLength(102)
    front.network.wait(secondMs)
    worked = []
    await pass([...many, item('z', 'mer_2')], failing())
    expect(new Set(worked).size).toBe(151)
    expect(await present()).toEqual([])
  })

  it('runs the other parts of a step when one cannot read its list', async () => {
    const { services } = front
    const ran: Array<string> = []
    const run = (loop: 'refunds' | 'reports') => ({
      loop,
      run: async () => {
        ran.push(loop)
        if (loop === 'refunds') throw new Error('a row is damaged')
        return E.right(undefined)
      },
    })
    expect(await partsIsolated(services, 'testnet', [run('refunds'), run('reports')])).toEqual(E.right(undefined))
    await partsIsolated(services, 'testnet', [run('refunds'), run('reports')])
    expect(ran).toEqual(['refunds', 'reports', 'reports'])
    expect(await services.setbacks.of('testnet', 'pass')).toMatchObject([{ merchantId: 'platform', id: 'refunds' }])
  })
  it('has each part wait until the read models hold what the parts before it have written', async () => {
    const done: Array<string> = []
    const caughtUp = {
      ...front.services.caughtUp,
      withAllOwnWrites: async () => {
        await new Promise(setImmediate)
        done.push('caught up')
      },
    }
    const run = (loop: 'refunds' | 'reports') => ({
      loop,
      run: async () => {
        done.push(loop)
        return E.right(undefined)
      },
    })
    await partsIsolated({ ...front.services, caughtUp }, 'testnet', [run('refunds'), run('reports')])
    expect(done).toEqual(['caught up', 'refunds', 'caught up', 'reports'])
  })
})
