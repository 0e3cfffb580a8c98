import { openDatabase } from '@quittance/event-store/sqlite'
import { sandboxClock } from './clock.ts'
import { OtherNetwork } from './genesis.ts'
import { openSandbox } from './sandbox.ts'
import { startMs, testPassphrase, wallClockAt } from './testing/fixture.ts'

const setUp = () => {
  const database = openDatabase(':memory:', { durability: 'full' })
  const wall = wallClockAt(startMs)
  const open = () => openSandbox({ database, wallClock: wall.now, passphrase: testPassphrase })
  return { database, wall, open, sandbox: open() }
}

const nobodyWaits = { nextDue: async () => null, settle: async () => {} }

describe("the sandbox's clock", () => {
  it('the clock follows wall time', () => {
    const { wall, sandbox } = setUp()
    expect(sandbox.clock()).toEqual({ now: startMs, ledger: 4 })
    wall.add(1_234)
    expect(sandbox.clock().now).toBe(startMs + 1_234)
  })

  it('the clock stands still while wall time goes back', () => {
    const { wall, sandbox } = setUp()
    wall.add(5_000)
    const { now } = sandbox.clock()
    wall.add(-60_000)
    expect(sandbox.clock().now).toBe(now)
    wall.add(60_001)
    expect(sandbox.clock().now).toBe(now + 1)
  })

  it('the clock stands still at its stored ceiling while the file cannot be written, and goes on afterwards', () => {
    const { database, wall, sandbox, open } = setUp()
    database.execute('PRAGMA query_only = ON')
    wall.add(60_000)
    const stopped = sandbox.clock().now
    expect(stopped).toBeLessThan(startMs + 60_000)
    expect(sandbox.clock().now).toBe(stopped)
    database.execute('PRAGMA query_only = OFF')
    expect(open().clock().now).toBe(startMs + 60_000)
    expect(sandbox.clock().now).toBe(startMs + 60_000)
  })

  it('the clock never goes back across a restart, even when wall time does', () => {
    const { wall, sandbox, open } = setUp()
    wall.add(5_500)
    const { now } = sandbox.clock()
    wall.add(-60_000)
    const later = open().clock().now
    expect(later).toBeGreaterThanOrEqual(now)
    expect(later).toBeLessThanOrEqual(now + 1_000)
  })

  it('the clock keeps its offset across a restart and continues from there', async () => {
    const { wall, sandbox, open, database } = setUp()
    await sandbox.advance({ seconds: 86_400, ...nobodyWaits })()
    const { now } = sandbox.clock()
    expect(now).toBe(startMs + 86_400_000)
    wall.add(7_000)
    expect(open().clock().now).toBe(now + 7_000)
    expect(sandboxClock(database, wall.now).now()).toBe(now + 7_000)
  })

  it('the clock is never behind the last close time', () => {
    const { sandbox, database, wall } = setUp()
    for (let count = 0; count < 5; count += 1) sandbox.close()
    expect(sandbox.read.range().latest.closeTime * 1_000).toBe(startMs + 5_000)
    expect(sandbox.clock().now).toBe(startMs + 5_000)
    expect(sandboxClock(database, wall.now).now()).toBe(startMs + 5_000)
    wall.add(5_001)
    expect(sandbox.clock().now).toBe(startMs + 5_001)
  })
})

describe('close times', () => {
  it('close times rise by at least a second and keep up with the clock', () => {
    const { wall, sandbox } = setUp()
    const closed = [0, 300, 10_900, 0].map((ms) => {
      wall.add(ms)
      return sandbox.close().closeTime - startMs / 1_000
    })
    expect(closed).toEqual([1, 2, 11, 12])
  })
})

describe('opening a database', () => {
  it('refuses to open a database of another network', () => {
    const { database, wall } = setUp()
    expect(() => openSandbox({ database, wallClock: wall.now, passphrase: 'another' })).toThrow(OtherNetwork)
  })
})
