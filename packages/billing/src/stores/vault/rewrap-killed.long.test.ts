import { spawnSync } from 'node:child_process'
import { copyFileSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openDatabase } from '@quittance/event-store/sqlite'
import * as E from 'fp-ts/lib/Either.js'
import { madeKey } from '../../testing/made-key.ts'
import { temporaryFolder } from '../../testing/platform.ts'
import { rewrapVault } from './rewrap-vault.ts'
import { sqliteVault } from './sqlite-vault.ts'

const script = fileURLToPath(new URL('../../testing/dying-rewrap.ts', import.meta.url))
const [oldKey, newKey] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)]
const keys = 12

describe('a process that is killed while it rewraps a vault', () => {
  it('leaves a vault that opens under exactly one of the keys, and the next run ends under the new one', async () => {
    const folder = temporaryFolder()
    const [saved, path] = [join(folder.path, 'saved'), join(folder.path, 'vault.db')]
    const within = async <A>(
      file: string,
      work: (sql: ReturnType<typeof openDatabase>) => A | Promise<A>,
    ): Promise<A> => {
      const sql = openDatabase(file, { durability: 'full', secureDelete: true })
      try {
        return await work(sql)
      } finally {
        sql.close()
      }
    }
    const opensUnder = (key: Uint8Array): Promise<boolean> =>
      within(path, async (sql) => {
        const vault = sqliteVault(sql, key, false)
        for (const name of await vault.keysNamed('')) await vault.carriage.withSeed(name, () => undefined)
      }).then(
        () => true,
        () => false,
      )
    await within(saved, async (sql) => {
      const vault = sqliteVault(sql, oldKey, true)
      for (let n = 0; n < keys; n++) await madeKey(vault, `key/${n}`)
    })
    const rows = await within(saved, (sql) => sql.prepare('SELECT wrapped FROM vault').all())
    const boxes = rows.map(({ wrapped }) => wrapped)
    const opened: Array<string> = []
    let step = 0
    for (; ; step++) {
      for (const name of readdirSync(folder.path)) if (name !== 'saved') rmSync(join(folder.path, name))
      copyFileSync(saved, path)
      const died = spawnSync(process.execPath, ['--no-warnings', script, path, String(step)])
      expect(String(died.stderr)).toBe('')
      const [old, fresh] = [await opensUnder(oldKey), await opensUnder(newKey)]
      expect([old, fresh]).toEqual([!fresh, !old])
      opened.push(old ? 'old' : 'new')
      expect(await within(path, (sql) => rewrapVault(sql, oldKey, newKey))).toEqual(E.right(old ? keys + 1 : 0))
      expect([await opensUnder(oldKey), await opensUnder(newKey)]).toEqual([false, true])
      for (const name of readdirSync(folder.path).filter((each) => each !== 'saved')) {
        const bytes = readFileSync(join(folder.path, name))
        expect(boxes.filter((box) => box instanceof Uint8Array && bytes.includes(Buffer.from(box)))).toEqual([])
      }
      if (died.signal === null) break
    }
    // Old until the commit, new from then on.
    expect(step).toBeGreaterThan(keys)
    expect(opened).toEqual([...opened].sort().reverse())
    expect(new Set(opened)).toEqual(new Set(['old', 'new']))
    folder.remove()
  }, 120_000)
})
