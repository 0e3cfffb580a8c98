import { copyFileSync, cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { dataFiles } from '@quittance/host'
import { isKilledAt } from '../testing/killed-command.ts'
import { type TestDirectory, testDirectory } from '../testing/run-cli.ts'

const mostSteps = 60

const isKilled = (dataDir: string, step: number, ...words: ReadonlyArray<string>): Promise<boolean> =>
  isKilledAt('file', step, words, { QUITTANCE_DATA_DIR: dataDir })

describe('backup and restore that are killed at each change of files', () => {
  let directory: TestDirectory
  let other: TestDirectory
  let folder: string
  let saved: string
  beforeAll(async () => {
    directory = testDirectory()
    other = testDirectory()
    folder = mkdtempSync(join(tmpdir(), 'quittance-backup-'))
    saved = join(folder, 'saved')
    await directory.json('merchant', 'create', '--name', 'Ada')
    await directory.json('backup', saved)
    await directory.json('merchant', 'create', '--name', 'Grace')
  })
  afterAll(() => {
    for (const each of [directory, other]) each.remove()
    rmSync(folder, { recursive: true, force: true })
  })
  const emptied = (at: TestDirectory): void => {
    for (const name of readdirSync(at.path)) rmSync(join(at.path, name), { recursive: true })
    copyFileSync(dataFiles(directory.path).masterKey, dataFiles(at.path).masterKey)
  }
  const names = (at: TestDirectory) => at.json('merchant', 'list')

  it('a backup that is killed appears whole or not at all, and the next one removes what it left', async () => {
    const now = await names(directory)
    const place = join(folder, 'place')
    let step = 0
    for (; await isKilled(directory.path, step, 'backup', join(place, 'killed')); step++) {
      emptied(other)
      for (const name of existsSync(place) ? readdirSync(place) : []) {
        const restored = await other.inside('restore', join(place, name), '--json', '--force')
        if (restored.status === 0) expect(await names(other)).toEqual(now)
        else expect(JSON.parse(restored.stderr).code).toBe('no_backup')
      }
      rmSync(join(place, 'killed'), { recursive: true, force: true })
      await directory.json('backup', join(place, 'next'))
      expect(readdirSync(place)).toEqual(['next'])
      rmSync(place, { recursive: true })
    }
    expect(step).toBeGreaterThan(10)
    expect(step).toBeLessThan(mostSteps)
  })

  it.each([
    ['over older files', true],
    ['into an empty directory', false],
  ])(
    'a restore %s that is killed leaves old or new files whole, or a directory that says to run it again',
    async (_, isOver) => {
      const old = await names(directory)
      emptied(other)
      await other.json('restore', saved)
      const restored = await names(other)
      const outcomes = new Set<string>()
      let step = 0
      for (; ; step++) {
        emptied(other)
        if (isOver) cpSync(directory.path, other.path, { recursive: true, force: true })
        if (!(await isKilled(other.path, step, 'restore', saved, '--force'))) break
        const isUntouched = !isOver && !existsSync(dataFiles(other.path).events)
        const listed = isUntouched ? null : await other.inside('merchant', 'list', '--json')
        if (listed === null) outcomes.add('empty')
        else if (listed.status === 0) {
          const shown: unknown = JSON.parse(listed.stdout)
          const isNew = isDeepStrictEqual(shown, restored)
          expect(shown).toEqual(isNew ? restored : old)
          outcomes.add(isNew ? 'new' : 'old')
        } else {
          expect(JSON.parse(listed.stderr)).toMatchObject({
            code: 'invalid_configuration',
            error: expect.stringContaining(`run quittance restore ${saved} again`),
          })
          outcomes.add('refused')
        }
        expect(await other.json('restore', saved, '--force')).toMatchObject({ ok: true })
        expect(await names(other)).toEqual(restored)
        expect(readdirSync(other.path).filter((name) => /^restor/.test(name))).toEqual([])
      }
      expect(await names(other)).toEqual(restored)
      expect(outcomes).toEqual(new Set([isOver ? 'old' : 'empty', 'refused', 'new']))
      expect(step).toBeGreaterThan(10)
      expect(step).toBeLessThan(mostSteps)
    },
  )
})
