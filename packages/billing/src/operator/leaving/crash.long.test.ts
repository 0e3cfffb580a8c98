import { existsSync } from 'node:fs'
import { asText, count, HttpUrl } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { openDatabase } from '@quittance/event-store/sqlite'
import { erasedSubjectsFile } from '../../stores/vault/erased-subjects.ts'
import { sqliteVault } from '../../stores/vault/sqlite-vault.ts'
import { countedWrites } from '../../testing/counted-writes.ts'
import { ProcessDied } from '../../testing/failing-stores.ts'
import { done, present } from '../../testing/outcomes.ts'
import { filesIn } from '../../testing/platform.ts'
import { survived } from '../../testing/refunds.ts'
import { command, someone } from '../../testing/shop.ts'
import { masterKey, provenLog } from '../../testing/stores.ts'
import { openTwoInstallations, type TwoInstallations } from '../../testing/two-installations.ts'
import { arrive } from './arrive.ts'
import { leave } from './leave.ts'

/** Dies before the write of that number; `writes`: how many there were. */
const dyingBefore = (last: number) => {
  const dying = {
    writes: 0,
    count: (): void => {
      dying.writes += 1
      if (dying.writes >= last) throw new ProcessDied()
    },
  }
  return dying
}

describe('a process that dies while a merchant moves', () => {
  let two: TwoInstallations
  let erased: string
  beforeAll(async () => {
    two = await openTwoInstallations()
    await two.ownOperator()
    const club = await two.source.club(two.merchantId)
    const joined = await club.join(await club.club({ trialDays: count(0) }), 'ada@crash.example')
    await club.enrol(joined, club.payer)
    const made = await done(
      club.billing.customers.createAll(command(two.source.now(), two.merchantId), [someone('eve@crash.example')]),
    )
    erased = present(made[0]).id
    await done(club.billing.customers.remove(command(two.source.now(), two.merchantId), erased))
    const url = decoded(HttpUrl, 'https://shop.example/hook')
    const details = { name: asText('hook'), url, events: [asText('*')], description: null }
    await done(club.billing.webhooks.create(command(two.source.now(), two.merchantId), details))
    await two.ledgers()
    await done(two.source.now().billing.freezes.freeze(two.freezing))
    await two.ledgers(4)
  })
  afterAll(() => two.close())

  const to = () => two.destination.now().billing.leaving.destination()

  it('leaves once for one destination, and writes whole files only, after its death before any write', async () => {
    const departures = async () =>
      (await two.eventsAbout(two.source)).filter(({ type }) => type === 'MerchantLeft').length
    let deaths = 0
    for (let isAlive = false; !isAlive; deaths++) {
      const { services } = two.source.now()
      const { count: before } = dyingBefore(deaths + 1)
      const store: typeof services.store = {
        ...services.store,
        append: (...request) => {
          before()
          return services.store.append(...request)
        },
      }
      const left: typeof services.left = {
        ...services.left,
        add: (departure) => {
          before()
          services.left.add(departure)
          before()
        },
      }
      // While the file is written: the key of each customer.
      const vault: typeof services.vault = {
        ...services.vault,
        carriage: {
          ...services.vault.carriage,
          subject: async (id) => {
            if (await services.left.has(two.merchantId)) before()
            return services.vault.carriage.subject(id)
          },
        },
      }
      const path = two.source.path(`${deaths}.export`)
      const request = { merchantId: two.merchantId, to: await to(), path, by: two.by, reason: two.reason }
      isAlive = await survived(done(() => leave({ ...services, store, left, vault }, request)))
      expect(existsSync(path)).toBe(isAlive)
      expect(existsSync(`${path}.part`)).toBe(false)
      expect(await departures()).toBe(deaths === 0 ? 0 : 1)
      await two.source.restart()
    }
    expect(deaths).toBeGreaterThan(4)
    await done(two.exported())
    expect(await provenLog(two.source.folder.path)).toMatchObject({ ok: true })
  })

  it('has brought the merchant altogether or not at all, after its death before any write', async () => {
    const history = await two.eventsAbout(two.source)
    const files = filesIn(two.destination.folder.path)
    const others = (await two.destination.now().logEnd()).events
    let deaths = 0
    for (let isAlive = false; !isAlive; deaths++) {
      const { services } = two.destination.now()
      const dying = dyingBefore(deaths + 1)
      const database = openDatabase(files.vault, { durability: 'relaxedLosesCommitsOnPowerLoss', secureDelete: true })
      let isOpen = false
      const counted = countedWrites(database, () => {
        if (isOpen) dying.count()
      })
      const vault = sqliteVault(counted, masterKey, true, erasedSubjectsFile(files.erased))
      isOpen = true
      const logFile = countedWrites(present(services.logFile), dying.count)
      const request = { path: two.source.path('merchant.export'), digest: null, by: two.by }
      isAlive = await survived(done(() => arrive({ ...services, vault, logFile }, request)))
      database.close()
      await two.destination.restart()
      const { merchants } = two.destination.now().services.readModels
      if (isAlive) continue
      expect(await merchants.withId(two.merchantId)).toBeNull()
      expect((await two.destination.now().logEnd()).events).toBe(others)
    }
    expect(deaths).toBeGreaterThan(history.length)
    const arrived = await two.eventsAbout(two.destination)
    expect(arrived.slice(0, history.length).map(({ position: _, ...event }) => event)).toEqual(
      history.map(({ position: _, ...event }) => event),
    )
    expect(arrived.slice(history.length).map(({ type }) => type)).toEqual(['MerchantArrived'])
    expect(await two.destination.now().services.vault.erased()).toEqual([erased])
    expect(await provenLog(two.destination.folder.path)).toMatchObject({ ok: true })
    await two.rotate()
    await done(two.destination.now().billing.freezes.unfreeze(two.freezing))
    await two.ledgers()
    expect(await two.reconciled(two.destination)).toMatchObject({ isOk: true, unexplained: [], missing: [] })
  })
})
