import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase, verify } from '@quittance/event-store/sqlite'
import { startPeer } from '@quittance/event-store/testing/peer'
import { dataFiles } from '@quittance/host'
import { refusalOf, runOnFullDisk, type TestDirectory, testDirectory } from '../testing/run-cli.ts'
import { merchantIn } from '../testing/shapes.ts'

describe('backup and restore', () => {
  let directory: TestDirectory
  let other: TestDirectory
  let folder: string
  let backup: string
  let merchantId: string
  beforeEach(async () => {
    directory = testDirectory()
    other = testDirectory()
    folder = mkdtempSync(join(tmpdir(), 'quittance-backup-'))
    backup = join(folder, 'one')
    merchantId = merchantIn(await directory.json('merchant', 'create', '--name', 'Ada')).merchantId
  })
  afterEach(() => {
    for (const each of [directory, other]) each.remove()
    rmSync(folder, { recursive: true, force: true })
  })
  const files = ['quittance.db', 'sandbox.db', 'vault.db']
  const bringMasterKey = (to: TestDirectory): void =>
    copyFileSync(dataFiles(directory.path).masterKey, dataFiles(to.path).masterKey)
  const customer = (at: TestDirectory, email: string) =>
    at.opened(async ({ billing }) => {
      const commandId = billing.freshId()
      const context = {
        merchantId,
        environment: 'testnet' as const,
        commandId,
        correlationId: commandId,
        causationId: null,
        actor: 'test',
        at: billing.clock.now('testnet'),
      }
      const profile = { email, name: 'Grace', phone: null, image: null, metadata: {} }
      return billing.customers.createAll(context, [profile])()
    })
  const onFullDisk = async ({ path }: TestDirectory, ...words: ReadonlyArray<string>) =>
    refusalOf(await runOnFullDisk(200, { QUITTANCE_DATA_DIR: path }, ...words, '--json'))
  const names = (at: TestDirectory) => at.json('merchant', 'list')
  const standing = (at: TestDirectory) => at.opened(({ billing }) => billing.log.standing())

  it('a target that cannot be used stays as it was', async () => {
    const file = join(folder, 'file')
    writeFileSync(file, 'x')
    expect(await directory.refusal('backup', file)).toEqual([1, 'target_unusable'])
    expect(await onFullDisk(directory, 'backup', backup)).toEqual([1, 'target_unusable'])
    expect(readdirSync(folder)).toEqual(['file'])
    await directory.json('backup', backup)
    bringMasterKey(other)
    const before = readdirSync(other.path)
    expect(await onFullDisk(other, 'restore', backup)).toEqual([1, 'target_unusable'])
    expect(readdirSync(other.path)).toEqual(before)
    await other.json('restore', backup)
    const whole = readdirSync(other.path)
    expect(await onFullDisk(other, 'restore', backup, '--force')).toEqual([1, 'target_unusable'])
    expect(readdirSync(other.path)).toEqual(whole)
    expect(await names(other)).toEqual(await names(directory))
  })

  it('a backup holds log, vault and the ledger of the sandbox, for its owner alone, and not the master key', async () => {
    await customer(directory, 'grace@example.com')
    expect(await directory.json('backup', backup)).toEqual({
      ok: true,
      directory: backup,
      made_at: expect.any(String),
      events: expect.any(Number),
      files,
    })
    expect(readdirSync(backup).sort()).toEqual(['backup.json', ...files])
    const modes = ['.', 'backup.json', ...files].map((name) => statSync(join(backup, name)).mode & 0o777)
    expect(modes).toEqual([0o700, 0o600, 0o600, 0o600, 0o600])
    expect(readdirSync(folder)).toEqual(['one'])
  })

  it('a restored backup in an empty directory has the log, its keys, and a sound standing', async () => {
    await customer(directory, 'grace@example.com')
    await directory.json('backup', backup)
    bringMasterKey(other)
    expect(await other.json('restore', backup)).toEqual({
      ok: true,
      made_at: expect.any(String),
      events: expect.any(Number),
      files,
      replaced: [],
      next: expect.stringContaining('quittance restore accept'),
    })
    expect(await names(other)).toEqual(await names(directory))
    expect(await other.json('verify')).toEqual(await directory.json('verify'))
    expect(await standing(other)).toEqual({ _tag: 'Sound' })
    expect(await other.json('restore', 'accept', '--reason', 'moved')).toEqual({ accepted: false })
  })

  it('an online backup is a proven prefix of the log at any moment', async () => {
    await directory.opened(async ({ billing }) => {
      let made = 0
      let isOver = false
      const write = async () => {
        while (!isOver) {
          const commandId = billing.freshId()
          const context = {
            merchantId,
            environment: 'testnet' as const,
            commandId,
            correlationId: commandId,
            causationId: null,
            actor: 'test',
            at: billing.clock.now('testnet'),
          }
          const profile = { email: `${made}@example.com`, name: 'Grace', phone: null, image: null, metadata: {} }
          expect(await billing.customers.createAll(context, [profile])()).toMatchObject({ _tag: 'Right' })
          made++
        }
      }
      const writing = write()
      const sizes: Array<number> = []
      for (const name of ['first', 'second', 'third']) {
        const before = made
        await directory.json('backup', join(folder, name))
        const { ok, events } = await verify(join(folder, name, 'quittance.db'))
        expect(ok).toBe(true)
        sizes.push(events)
        while (made < before + 5) await new Promise((resolve) => setImmediate(resolve))
      }
      isOver = true
      await writing
      expect(sizes).toEqual([...new Set(sizes)].sort((one, another) => one - another))
    })
  })

  it.each([
    ['a changed file', 'backup_damaged', (path: string) => writeFileSync(join(path, 'vault.db'), 'x')],
    ['a missing file', 'backup_damaged', (path: string) => rmSync(join(path, 'quittance.db'))],
    ['no manifest', 'no_backup', (path: string) => rmSync(join(path, 'backup.json'))],
  ])('restore refuses a backup with %s', async (_, code, damage) => {
    await directory.json('backup', backup)
    bringMasterKey(other)
    damage(backup)
    expect(await other.refusal('restore', backup)).toEqual([1, code])
    expect(readdirSync(other.path)).toEqual(['master.key'])
  })

  it('backup refuses a log that was altered, and a vault that lacks a key of the log', async () => {
    await customer(directory, 'grace@example.com')
    const { vault, events } = dataFiles(directory.path)
    const alter = (path: string, sql: string): void => {
      const database = openDatabase(path, { durability: 'full' })
      database.execute(sql)
      database.close()
    }
    alter(vault, "DELETE FROM vault WHERE name LIKE 'subject/%'")
    expect(await directory.refusal('backup', backup)).toEqual([1, 'keys_missing'])
    alter(vault, "DELETE FROM vault WHERE name LIKE 'secret/settlement/%'")
    expect(await directory.refusal('backup', backup)).toEqual([1, 'keys_missing'])
    alter(events, "UPDATE events SET data = '{}' WHERE position = 1")
    expect(await directory.refusal('backup', backup)).toEqual([1, 'altered_log'])
    expect(readdirSync(folder)).toEqual([])
  })

  it('backup refuses a directory that is not empty, and a data directory without a log', async () => {
    mkdirSync(backup)
    await directory.json('backup', backup)
    expect(await directory.refusal('backup', backup)).toEqual([1, 'target_not_empty'])
    bringMasterKey(other)
    expect(await other.refusal('backup', join(folder, 'two'))).toEqual([1, 'no_event_log'])
  })

  it('restore refuses another master key, and a directory without one', async () => {
    await directory.json('backup', backup)
    expect(await other.refusal('restore', backup)).toEqual([2, 'invalid_configuration'])
    writeFileSync(dataFiles(other.path).masterKey, '11'.repeat(32))
    expect(await other.refusal('restore', backup)).toEqual([1, 'wrong_master_key'])
  })

  it('restore refuses a directory that is served, and one that is not empty unless forced', async () => {
    await directory.json('backup', backup)
    await directory.opened(async () => {
      expect(await directory.refusal('restore', backup)).toEqual([1, 'target_in_use'])
      expect(await directory.refusal('restore', backup, '--force')).toEqual([1, 'target_in_use'])
    })
    expect(await directory.refusal('restore', backup)).toEqual([1, 'target_not_empty'])
    expect(await directory.json('restore', backup, '--force')).toMatchObject({
      replaced: ['quittance.db.replaced-1', 'vault.db.replaced-1'],
    })
  })

  it('a forced restore of an older backup is noticed, by the mark that stays, until a person accepts', async () => {
    await directory.json('backup', backup)
    await customer(directory, 'grace@example.com')
    await directory.opened(async ({ workers }) => {
      for (const worker of workers) await worker.step()
    })
    const { logMark } = dataFiles(directory.path)
    const mark = readFileSync(logMark, 'utf8')
    await directory.json('restore', backup, '--force')
    expect(readFileSync(logMark, 'utf8')).toBe(mark)
    expect(await standing(directory)).toEqual({
      _tag: 'RolledBack',
      reasons: [expect.objectContaining({ _tag: 'EventLacking' })],
    })
    expect(
      await directory.json('restore', 'accept', '--reason', 'the disk died', '--actor', 'Ada', '--force'),
    ).toMatchObject({
      accepted: true,
      by: 'Ada',
      reason: 'the disk died',
      lacked: [{ stream: expect.any(String), revision: expect.any(Number), recorded_at: expect.any(String) }],
      forgotten: [],
      forced: true,
    })
    expect(await standing(directory)).toEqual({ _tag: 'Sound' })
    expect(existsSync(`${dataFiles(directory.path).vault}.replaced-1`)).toBe(true)
  })

  it('a backup beside a log on a server holds what is not on the server, and is restored beside it', async () => {
    const peer = await startPeer({ path: ':memory:', port: 0 })
    const beside = { of: async () => ({ QUITTANCE_EVENT_STORE: peer.connectionString }), remove: () => undefined }
    const [from, to] = [testDirectory(beside), testDirectory(beside)]
    await from.json('merchant', 'create', '--name', 'Ada')
    const held = ['read-models.db', 'sandbox.db', 'vault.db']
    expect(await from.json('backup', backup)).toMatchObject({ ok: true, events: null, files: held })
    copyFileSync(dataFiles(from.path).masterKey, dataFiles(to.path).masterKey)
    expect(await to.json('restore', backup)).toMatchObject({ ok: true, events: null, files: held, replaced: [] })
    expect(await names(to)).toEqual(await names(from))
    expect(await standing(to)).toEqual({ _tag: 'Sound' })
    for (const each of [from, to]) each.remove()
    await peer.stop()
  })
})
