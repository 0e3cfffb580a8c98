import { spawnSync } from 'node:child_process'
import { appendFileSync, copyFileSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Sealed } from '@quittance/domain'
import { openDatabase } from '@quittance/event-store/sqlite'
import * as O from 'fp-ts/lib/Option.js'
import { temporaryFolder } from '../../testing/platform.ts'
import { masterKey } from '../../testing/stores.ts'
import { erasedSubjectsFile } from './erased-subjects.ts'
import type { Vault } from './port.ts'
import { sqliteVault } from './sqlite-vault.ts'

const script = fileURLToPath(new URL('../../testing/dying-eraser.ts', import.meta.url))

describe('the list of erased subjects', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let path: string
  let listPath: string
  let copy: string
  beforeEach(() => {
    folder = temporaryFolder()
    path = join(folder.path, 'vault.db')
    listPath = join(folder.path, 'erased.txt')
    copy = join(folder.path, 'copy.db')
  })
  afterEach(() => folder.remove())
  const within = async <A>(work: (vault: Vault) => A | Promise<A>): Promise<A> => {
    const database = openDatabase(path, { durability: 'full', secureDelete: true })
    try {
      return await work(sqliteVault(database, masterKey, true, erasedSubjectsFile(listPath)))
    } finally {
      database.close()
    }
  }
  const wrappedKey = (): Uint8Array => {
    const database = openDatabase(path, { durability: 'full', readOnly: true })
    const row = database.prepare("SELECT wrapped FROM vault WHERE name = 'subject/ada'").get()
    database.close()
    return row?.wrapped instanceof Uint8Array ? row.wrapped : new Uint8Array()
  }
  const putBack = (): void => {
    for (const rest of ['-wal', '-shm']) rmSync(`${path}${rest}`, { force: true })
    copyFileSync(copy, path)
  }
  const sealed = () => within(async (vault) => [await vault.seal('ada', { n: 1 }), await vault.seal('grace', { n: 2 })])
  const opened = (of: Awaited<ReturnType<typeof sealed>>) =>
    within((vault) =>
      Promise.all(
        ['ada', 'grace'].map(async (subject, at) => {
          const box: O.Option<Sealed> = of[at] ?? O.none
          return O.isSome(box) ? vault.unseal(subject, box.value) : O.none
        }),
      ),
    )

  it('holds the ids alone, for its owner', async () => {
    await sealed()
    await within((vault) => vault.erase('ada'))
    await within((vault) => vault.erase('grace'))
    await within((vault) => vault.erase('ada'))
    expect(readFileSync(listPath, 'utf8')).toBe('ada\ngrace\n')
    expect(statSync(listPath).mode & 0o777).toBe(0o600)
  })

  it('destroys a key again that an older copy of the vault has brought back, before anything is read', async () => {
    const boxes = await sealed()
    copyFileSync(path, copy)
    await within((vault) => vault.erase('ada'))
    putBack()
    const key = wrappedKey()
    expect(key.length).toBeGreaterThan(0)
    expect(await opened(boxes)).toEqual([O.none, O.some({ n: 2 })])
    expect(wrappedKey().length).toBe(0)
    expect(readFileSync(path).includes(Buffer.from(key))).toBe(false)
  })

  it('gives no key to an erased subject that an older copy has never met', async () => {
    await within((vault) => vault.seal('grace', {}))
    copyFileSync(path, copy)
    await sealed()
    await within((vault) => vault.erase('ada'))
    putBack()
    expect(await within((vault) => vault.seal('ada', {}))).toEqual(O.none)
  })

  it('holds what an earlier release has erased without a list', async () => {
    await sealed()
    await within((vault) => vault.erase('ada'))
    rmSync(listPath)
    await within(() => undefined)
    expect(erasedSubjectsFile(listPath).all()).toEqual(['ada'])
  })

  it('loses no id behind a line that a power failure has cut', async () => {
    const boxes = await sealed()
    appendFileSync(listPath, 'gra')
    await within((vault) => vault.erase('ada'))
    expect(erasedSubjectsFile(listPath).all()).toEqual(['gra', 'ada'])
    expect(await opened(boxes)).toEqual([O.none, O.some({ n: 2 })])
  })

  it('comes first: a start destroys the key that a killed process has left', async () => {
    const boxes = await sealed()
    const died = spawnSync(process.execPath, ['--no-warnings', script, path, listPath, 'ada'])
    expect([died.signal, String(died.stdout), String(died.stderr)]).toEqual(['SIGKILL', '', ''])
    expect(wrappedKey().length).toBeGreaterThan(0)
    expect(await opened(boxes)).toEqual([O.none, O.some({ n: 2 })])
    expect(wrappedKey().length).toBe(0)
  })

  it('keeps the key if it cannot be written, so that nobody is told of an erasure', async () => {
    const boxes = await sealed()
    const database = openDatabase(path, { durability: 'full', secureDelete: true })
    const full = {
      all: () => [],
      add: (subjects: ReadonlyArray<string>) => {
        if (subjects.length > 0) throw new Error('the disk is full')
      },
    }
    const vault = sqliteVault(database, masterKey, true, full)
    await expect(vault.erase('ada')).rejects.toThrow('the disk is full')
    database.close()
    expect(await opened(boxes)).toEqual([O.some({ n: 1 }), O.some({ n: 2 })])
  })
})
