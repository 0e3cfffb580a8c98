import { copyFileSync } from 'node:fs'
import fc from 'fast-check'
import { appendAt } from '../conformance/sample.ts'
import { type Head, noEvents } from '../port.ts'
import { openDatabase } from './database.ts'
import { sqliteEventStore } from './store.ts'
import { temporaryFile } from './testing/process.ts'
import { verify } from './verify.ts'
import { isSoundInParts } from './verify-in-parts.ts'

const events = 60
const positionsPerPart = 7

const columns = ['stream', 'revision', 'id', 'type', 'schema_version', 'data', 'metadata', 'hash', 'digest'] as const

const anyPosition = fc.integer({ min: 1, max: events })
/** What somebody may do to the file, as SQL. */
const anyAlteration = fc.oneof(
  fc
    .tuple(fc.constantFrom(...columns), anyPosition)
    .map(([column, position]) =>
      column === 'revision' || column === 'schema_version'
        ? `UPDATE events SET ${column} = ${column} + 100 WHERE position = ${position}`
        : `UPDATE events SET ${column} = replace(${column}, substr(${column}, -3, 1), 'q') || 'x' WHERE position = ${position}`,
    ),
  anyPosition.map((position) => `DELETE FROM events WHERE position = ${position}`),
  fc.tuple(anyPosition, anyPosition).map(
    ([one, other]) => `UPDATE events SET position = -position WHERE position IN (${one}, ${other});
      UPDATE events SET position = CASE -position WHEN ${one} THEN ${other} ELSE ${one} END WHERE position < 0`,
  ),
)

describe('verification by several threads', () => {
  let file: ReturnType<typeof temporaryFile>
  beforeEach(async () => {
    file = temporaryFile()
    const store = sqliteEventStore({ path: file.path, clock: () => 1, projections: [] })
    const heads = new Map<string, Head>()
    for (let n = 0; n < events; n += 1) {
      const stream = `s-${n % 5}`
      heads.set(stream, await appendAt(store, stream, heads.get(stream) ?? noEvents, [`event ${n}`]))
    }
    store.close()
  })
  afterEach(() => file.remove())

  const isSound = async (path: string, end: number): Promise<boolean> => {
    const sql = openDatabase(path, { durability: 'full', readOnly: true })
    try {
      return await isSoundInParts(sql, path, end, positionsPerPart)
    } finally {
      sql.close()
    }
  }

  it('accepts a log as it was written, and finds the heads that were kept', async () => {
    expect(await isSound(file.path, events)).toBe(true)
    const { head, ...found } = await verify(file.path, { positionsPerPart })
    expect(found).toEqual({ ok: true, events, problems: [] })
    if (head === null) throw new Error('the log has no end')
    const missing = { position: events + 1, digest: head.digest }
    for (const expected of [[head], [head, missing]])
      expect(await verify(file.path, { positionsPerPart, expected })).toEqual(await verify(file.path, { expected }))
  })

  it('finds what one thread finds, whatever was altered', async () => {
    await fc.assert(
      fc.asyncProperty(anyAlteration, async (alteration) => {
        const copy = temporaryFile()
        copyFileSync(file.path, copy.path)
        const database = openDatabase(copy.path, { durability: 'full' })
        database.execute(alteration)
        database.close()
        const found = await verify(copy.path, { positionsPerPart })
        expect(found).toEqual(await verify(copy.path))
        expect(await isSound(copy.path, found.head?.position ?? events)).toBe(found.ok)
        copy.remove()
      }),
      { numRuns: 40 },
    )
  })
})
