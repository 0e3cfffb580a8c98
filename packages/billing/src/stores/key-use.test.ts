import { unixMs } from '@quittance/domain'
import { changesOf } from '@quittance/event-store'
import { type KeyUse, keyUse } from './key-use.ts'
import { openStoreDatabase, type StoreDatabase } from './testing/store-database.ts'

const start = 1_793_491_200_000
const at = (ms: number) => unixMs(start + ms)

describe('the last use of a key', () => {
  let database: StoreDatabase
  let use: KeyUse
  let another: KeyUse
  let written: Promise<unknown>
  beforeEach(async () => {
    database = await openStoreDatabase()
    const { sql } = database
    const run: typeof sql.run = (...asked) => {
      const answer = sql.run(...asked)
      written = answer.catch(() => undefined)
      return answer
    }
    use = keyUse({ ...sql, run })
    another = keyUse({ ...database.another, run })
  })
  afterEach(() => database.close())
  /** Notes a use, and waits until that is written, if it is. */
  const note = async (by: KeyUse, ms: number): Promise<void> => {
    by.note('key_1', at(ms))
    await new Promise((resolve) => setImmediate(resolve))
    await written
  }

  it('is recorded after the request, to the minute', async () => {
    expect(await use.last('key_1')).toBeNull()
    const noted: Array<number | null> = []
    for (const ms of [0, 1, 59_999, 60_000, 61_000]) {
      await note(use, ms)
      noted.push(await use.last('key_1'))
    }
    expect(noted).toEqual([0, 0, 0, 60_000, 60_000].map((ms) => start + ms))
    expect([await another.last('key_1'), await use.last('key_2')]).toEqual([start + 60_000, null])
  })

  it('never goes back, whichever process records it', async () => {
    await note(use, 5_000)
    await note(another, 0)
    expect(await use.last('key_1')).toBe(start + 5_000)
  })

  it('does not fail its request when it cannot be written, and is written with the next one', async () => {
    await database.sql.run(changesOf('ALTER TABLE key_use RENAME TO away'))
    await note(use, 0)
    await database.sql.run(changesOf('ALTER TABLE away RENAME TO key_use'))
    expect(await use.last('key_1')).toBeNull()
    await note(use, 0)
    expect(await use.last('key_1')).toBe(start)
  })
})
