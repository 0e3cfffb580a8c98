import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SqlDatabase } from '@quittance/event-store'
import { buildProjections, openDatabase } from '@quittance/event-store/sqlite'
import { publicEventWriter } from '../public-events/write-public-events.ts'
import { inlineProjections } from '../read-models.ts'
import { tableName } from '../table-rows.ts'
import { foldApart } from './fold-apart.ts'

const rows = 2_500

/** Public events, of which `changed` has another body. */
const fill = (database: SqlDatabase, changed: number): void => {
  const insert = database.prepare(`INSERT INTO ${tableName(publicEventWriter)}
    (id, merchant_id, environment, lookup_key, revision, body) VALUES (?, 'mer_1', 'testnet', ?, 0, ?)`)
  database.transaction(() => {
    for (let n = 0; n < rows; n += 1) insert.run(`place ${n}`, `evt_${n}`, n === changed ? '{"n":-1}' : '{}')
  })
}

describe('folding a log apart', () => {
  it('compares rows by their ids, with turns for other work between a thousand of them', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'quittance-fold-'))
    const path = join(folder, 'live.db')
    await buildProjections(path, inlineProjections)
    const live = openDatabase(path, { durability: 'full' })
    const scratch = openDatabase(join(folder, 'fold.db'), { durability: 'relaxedLosesCommitsOnPowerLoss' })
    const fold = foldApart(scratch)
    fill(live, -1)
    fill(scratch, 7)
    let [turns, isOver] = [0, false]
    const turn = (): void => {
      turns += 1
      if (!isOver) setImmediate(turn)
    }
    setImmediate(turn)
    const compared = await fold.compareWith(path)
    isOver = true
    live.close()
    scratch.close()
    rmSync(folder, { recursive: true })
    const { name, version } = publicEventWriter
    expect(compared.find((model) => model.model === name)).toMatchObject({
      version,
      rows,
      differing: 1,
      differences: [{ id: 'place 7' }],
    })
    expect(compared.filter(({ differing }) => differing > 0)).toHaveLength(1)
    // Three for the public events, one for each of the other models.
    expect(turns).toBeGreaterThanOrEqual(3 + compared.length - 1)
  })
})
