import type { EventStore } from '@quittance/event-store'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { createBilling } from '../../face/billing.ts'
import { dyingAfter, ProcessDied } from '../../testing/failing-stores.ts'
import { startNetwork, type TestNetwork } from '../../testing/network.ts'
import { done, present } from '../../testing/outcomes.ts'
import { openPlatform, type TestPlatform, temporaryFolder } from '../../testing/platform.ts'
import { command, openShop, someone } from '../../testing/shop.ts'

describe('concurrent claims of one email', () => {
  let network: TestNetwork
  let folder: ReturnType<typeof temporaryFolder>
  let platform: TestPlatform
  let merchantId: string
  let emails = 0
  beforeAll(async () => {
    network = await startNetwork()
    folder = temporaryFolder()
    platform = await openPlatform(network, folder.path)
    merchantId = await openShop(platform)
  })
  afterAll(async () => {
    await platform.close()
    await network.close()
    folder.remove()
  })

  const claimant = (store: EventStore) => createBilling({ ...platform.services, store }).customers
  const living = async (email: string) => {
    await platform.shown()
    const { resources } = await platform.billing.customers.list({ merchantId, environment: 'testnet', limit: 100 })()
    return resources.filter((each) => each.email === email)
  }

  it('pass from a claimant that crashed before its write, and that loses when it resumes', async () => {
    const email = 'woken@example.org'
    const late = command(platform, merchantId)
    const died = claimant(dyingAfter(1)(platform.log)).createAll(late, [someone(email)])
    await expect(died()).rejects.toThrow(ProcessDied)
    const [next] = await done(platform.billing.customers.createAll(command(platform, merchantId), [someone(email)]))
    const woken = await platform.billing.customers.createAll(late, [someone(email)])()
    expect(woken).toEqual(E.left({ _tag: 'EmailTaken', customerId: next?.id }))
    expect(await living(email)).toEqual([next])
  })

  it('create at most one customer in any order of steps, and one in the end', async () => {
    const race = async (scheduler: fc.Scheduler, deaths: ReadonlyArray<number>): Promise<void> => {
      const email = `race-${emails++}@example.org`
      const attempts = deaths.map((death) => {
        const store = dyingAfter(death)(platform.log)
        const scheduled: EventStore = {
          ...store,
          readStream:
            (...request) =>
            () =>
              scheduler.schedule(Promise.resolve('read')).then(() => store.readStream(...request)()),
          append:
            (...request) =>
            () =>
              scheduler.schedule(Promise.resolve('append')).then(() => store.append(...request)()),
        }
        return claimant(scheduled)
          .createAll(command(platform, merchantId), [someone(email)])()
          .catch((defect: unknown) => {
            if (!(defect instanceof ProcessDied)) throw defect
            return null
          })
      })
      const outcomes = await scheduler.waitFor(Promise.all(attempts))
      const after = await living(email)
      expect(after.length).toBeLessThanOrEqual(1)
      const winners = outcomes.flatMap((outcome) =>
        outcome !== null && E.isRight(outcome) ? outcome.right.map(({ id }) => id) : [],
      )
      for (const winner of winners) expect(after.map(({ id }) => id)).toEqual([winner])

      await platform.billing.customers.createAll(command(platform, merchantId), [someone(email)])()
      expect(await living(email)).toHaveLength(1)
      if (after.length === 1) expect(present((await living(email))[0]).id).toBe(present(after[0]).id)
      const ids = (await living(email)).map(({ id }) => id)
      await done(platform.billing.customers.remove(command(platform, merchantId), present(ids[0])))
    }
    const anyDeaths = fc.array(fc.constantFrom(1, 2, 3, 99, 99), { minLength: 2, maxLength: 4 })
    await fc.assert(fc.asyncProperty(fc.scheduler(), anyDeaths, race), { numRuns: 60, seed: 20_261_101 })
  })
})
