import { type Environment, type UnixMs, unixMs } from '@quittance/domain'
import type { Clock } from '../kernel/clock.ts'
import { right } from '../testing/outcomes.ts'
import { claims as claimsIn } from './claims/claims.ts'
import { openStoreDatabase } from './testing/store-database.ts'

/** A sandbox whose clock is a year ahead, beside a mainnet. */
const start = unixMs(Date.UTC(2026, 10, 23))
const times = { testnet: start, mainnet: start }
const clock: Clock = { now: (environment) => times[environment] }
const both: ReadonlyArray<Environment> = ['testnet', 'mainnet']
const aYearOn = (time: UnixMs): UnixMs => unixMs(time + 365 * 24 * 60 * 60 * 1000)

describe('the idempotency keys of two environments with different clocks', () => {
  it("forgets keys by the clock of each environment, so that a sandbox's year leaves those of real money", async () => {
    const database = await openStoreDatabase()
    const claims = claimsIn(database.sql, clock)
    const request = (environment: Environment) => ({ merchantId: 'mer_1', environment, key: 'k', requestHash: 'h' })
    for (const environment of both) right(await right(await claims.open(request(environment))).bind())
    times.testnet = aYearOn(start)
    await claims.purge()
    const after = await Promise.all(both.map(async (environment) => right(await claims.open(request(environment)))))
    expect(after.map(({ isFirst, at }) => [isFirst, at])).toEqual([
      [true, aYearOn(start)],
      [false, start],
    ])
    await database.close()
  })
})
