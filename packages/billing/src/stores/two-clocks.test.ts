import { type Environment, type UnixMs, unixMs } from '@quittance/domain'
import { openDatabase } from '@quittance/event-store/sqlite'
import type { Clock } from '../kernel/clock.ts'
import { right } from '../testing/outcomes.ts'
import { sqliteClaims } from './claims/sqlite-claims.ts'

/** A sandbox whose clock is a year ahead, beside a mainnet. */
const start = unixMs(Date.UTC(2026, 10, 23))
const times = { testnet: start, mainnet: start }
const clock: Clock = { now: (environment) => times[environment] }
const both: ReadonlyArray<Environment> = ['testnet', 'mainnet']
const aYearOn = (time: UnixMs): UnixMs => unixMs(time + 365 * 24 * 60 * 60 * 1000)

describe('the idempotency keys of two environments with different clocks', () => {
  it("forgets keys by the clock of each environment, so that a sandbox's year leaves those of real money", () => {
    const database = openDatabase(':memory:', { durability: 'full' })
    const claims = sqliteClaims(database, clock)
    const request = (environment: Environment) => ({ merchantId: 'mer_1', environment, key: 'k', requestHash: 'h' })
    const made = both.map((environment) => right(claims.open(request(environment))))
    for (const claim of made) right(claim.bind())
    times.testnet = aYearOn(start)
    claims.purge()
    const after = both.map((environment) => right(claims.open(request(environment))))
    expect(after.map(({ isFirst, at }) => [isFirst, at])).toEqual([
      [true, aYearOn(start)],
      [false, start],
    ])
    database.close()
  })
})
