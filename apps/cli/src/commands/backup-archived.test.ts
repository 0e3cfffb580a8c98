import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dataFiles } from '@quittance/host'
import { type TestDirectory, testDirectory } from '../testing/run-cli.ts'

describe('backup and restore of an archived log', () => {
  let directory: TestDirectory
  let other: TestDirectory
  let folder: string
  beforeEach(async () => {
    directory = testDirectory()
    other = testDirectory()
    folder = mkdtempSync(join(tmpdir(), 'quittance-backup-'))
    await directory.json('merchant', 'create', '--name', 'Ada')
  })
  afterEach(() => {
    for (const each of [directory, other]) each.remove()
    rmSync(folder, { recursive: true, force: true })
  })
  const archive = () => directory.json('archive', '--before', '2100-01-01')
  const backup = (name: string): string => join(folder, name)
  const shared = () => join(folder, 'quittance-segments')
  const segments = (at: string): ReadonlyArray<string> => readdirSync(at).filter((name) => name.startsWith('events-'))
  const restored = async (name: string) => {
    copyFileSync(dataFiles(directory.path).masterKey, dataFiles(other.path).masterKey)
    await other.json('restore', backup(name), '--force')
    expect(await other.json('verify')).toMatchObject({ ok: true, problems: [] })
    return other.json('merchant', 'list')
  }
  const names = () => directory.json('merchant', 'list')

  it('backups in one directory share the segments, each copied once, and each restores its own log', async () => {
    const ada = await names()
    await directory.json('backup', backup('unarchived'))
    expect(readdirSync(folder)).toEqual(['unarchived'])
    await archive()
    expect(await directory.json('backup', backup('one'))).toMatchObject({
      events: 5,
      files: ['quittance.db', 'sandbox.db', 'vault.db', expect.stringMatching(/^events-1-4-/)],
    })
    const [first = ''] = segments(shared())
    const copied = statSync(join(shared(), first))
    expect(copied.mode & 0o777).toBe(0o400)
    await directory.json('merchant', 'create', '--name', 'Grace')
    await archive()
    await directory.json('backup', backup('two'))
    expect(segments(shared()).length).toBe(2)
    expect(statSync(join(shared(), first)).ino).toBe(copied.ino)
    expect(readdirSync(shared()).length).toBe(2)
    const both = await names()
    for (const [name, merchants] of [
      ['one', ada],
      ['two', both],
      ['unarchived', ada],
      ['two', both],
    ] as const)
      expect(await restored(name)).toEqual(merchants)
    expect(segments(join(other.path, 'segments')).length).toBe(2)
  })

  it('a log whose segments are newer than its marks went back as any other, and one that was only archived did not', async () => {
    const standing = () => directory.opened(({ billing }) => billing.log.standing()._tag)
    await directory.json('backup', backup('old'))
    await directory.json('merchant', 'create', '--name', 'Grace')
    await archive()
    expect(await standing()).toBe('Sound')
    await directory.json('backup', backup('archived'))
    await directory.json('restore', backup('old'), '--force')
    expect(await standing()).toBe('RolledBack')
    await directory.json('restore', backup('archived'), '--force')
    expect(await standing()).toBe('Sound')
    await archive()
    expect(await directory.json('verify')).toMatchObject({ ok: true })
  })

  it('a damaged segment is refused, and the next backup copies it again', async () => {
    await archive()
    await directory.json('backup', backup('one'))
    const [name = ''] = segments(shared())
    const damage = (path: string): void => {
      chmodSync(path, 0o600)
      truncateSync(path, 4_096)
    }
    damage(join(shared(), name))
    copyFileSync(dataFiles(directory.path).masterKey, dataFiles(other.path).masterKey)
    expect(await other.refusal('restore', backup('one'))).toEqual([1, 'backup_damaged'])
    await directory.json('backup', backup('two'))
    expect(await restored('one')).toEqual(await names())
    damage(join(directory.path, 'segments', name))
    expect(await directory.json('backup', backup('three'))).toMatchObject({ ok: true })
    rmSync(shared(), { recursive: true })
    expect(await directory.refusal('backup', backup('four'))).toEqual([1, 'altered_log'])
    expect(readdirSync(folder).toSorted()).toEqual(['one', 'quittance-segments', 'three', 'two'])
  })

  it('a backup that was copied with its link followed restores alone', async () => {
    await archive()
    await directory.json('backup', backup('one'))
    const moved = mkdtempSync(join(tmpdir(), 'quittance-moved-'))
    try {
      execFileSync('cp', ['-rL', `${backup('one')}/.`, moved])
      rmSync(folder, { recursive: true })
      copyFileSync(dataFiles(directory.path).masterKey, dataFiles(other.path).masterKey)
      await other.json('restore', moved)
      expect(await other.json('merchant', 'list')).toEqual(await names())
      expect(JSON.parse(readFileSync(join(moved, 'backup.json'), 'utf8')).segments.length).toBe(1)
    } finally {
      rmSync(moved, { recursive: true })
    }
  })
})
