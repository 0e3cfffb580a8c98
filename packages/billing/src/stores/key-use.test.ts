import { setImmediate as nextTurn } from 'node:timers/promises'
import { unixMs } from '@quittance/domain'
import { openDatabase } from '@quittance/event-store/sqlite'
import { sqliteKeyUse } from './key-use.ts'

const start = 1_793_491_200_000
const at = (ms: number) => unixMs(start + ms)

describe('the last use of a key', () => {
  const open = () => {
    const database = openDatabase(':memory:', { durability: 'full' })
    return {
      database,
      use: sqliteKeyUse(database),
      another: sqliteKeyUse(database),
    }
  }

  it('is recorded after the request, to the minute', async () => {
    const { use, another } = open()
    expect(use.last('key_1')).toBeNull()
    const noted: Array<number | null> = []
    for (const ms of [0, 1, 59_999, 60_000, 61_000]) {
      use.note('key_1', at(ms))
      await nextTurn()
      noted.push(use.last('key_1'))
    }
    expect(noted).toEqual([0, 0, 0, 60_000, 60_000].map((ms) => start + ms))
    expect([another.last('key_1'), use.last('key_2')]).toEqual([start + 60_000, null])
  })

  it('never goes back, whichever process records it', async () => {
    const { use, another } = open()
    use.note('key_1', at(5_000))
    await nextTurn()
    another.note('key_1', at(0))
    await nextTurn()
    expect(use.last('key_1')).toBe(start + 5_000)
  })

  it('does not fail its request when it cannot be written, and is written with the next one', async () => {
    const { database, use } = open()
    database.execute('ALTER TABLE key_use RENAME TO away')
    use.note('key_1', at(0))
    await nextTurn()
    database.execute('ALTER TABLE away RENAME TO key_use')
    expect(use.last('key_1')).toBeNull()
    use.note('key_1', at(0))
    await nextTurn()
    expect(use.last('key_1')).toBe(start)
  })
})
