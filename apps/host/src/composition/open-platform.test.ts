import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@quittance/event-store/sqlite'
import * as E from 'fp-ts/lib/Either.js'
import { configFrom } from '../config.ts'
import { openPlatform } from './open-platform.ts'

const noAlarm = (): void => {}

describe('opening a data directory', () => {
  let directory: string
  const open = async (more: Readonly<Record<string, string>> = {}) => {
    const config = configFrom({ QUITTANCE_DATA_DIR: directory, ...more })
    if (E.isLeft(config)) throw new Error('the example configuration is wrong')
    return openPlatform(config.right, noAlarm)
  }
  const openAndClose = async (): Promise<void> => {
    const opened = await open()
    if (E.isLeft(opened)) throw new Error('it did not open')
    await opened.right.close()
  }
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'quittance-host-'))
  })
  afterEach(() => rmSync(directory, { recursive: true }))

  it('resolves every root on an empty directory, and again on what it has written', async () => {
    for (const _ of ['empty', 'written']) {
      const opened = await open()
      if (E.isLeft(opened)) throw new Error('it did not open')
      const { billing, workers, clock, sandbox, sandboxFacts } = opened.right
      expect({
        merchants: billing.merchants.names(),
        workers: workers.length,
        tells: clock.now() > 0,
        isOwn: sandbox?.isOwn,
        sandboxFacts,
      }).toEqual({ merchants: [], workers: 1, tells: true, isOwn: true, sandboxFacts: join(directory, 'sandbox.json') })
      await opened.right.close()
    }
  })

  it('names the master key when it is not the one the data was written under', async () => {
    await openAndClose()
    expect(await open({ QUITTANCE_MASTER_KEY: '0'.repeat(64) })).toEqual(
      E.left([{ variable: 'QUITTANCE_MASTER_KEY', expected: 'the key that the data directory was written under' }]),
    )
  })

  it('names the data directory when its log is of a newer release', async () => {
    await openAndClose()
    const database = openDatabase(join(directory, 'quittance.db'), { durability: 'full' })
    database.execute('PRAGMA user_version = 99')
    database.close()
    expect(await open()).toEqual(
      E.left([{ variable: 'QUITTANCE_DATA_DIR', expected: expect.stringContaining('schema version 99') }]),
    )
  })

  it('names the data directory when a file in it is no database', async () => {
    writeFileSync(join(directory, 'quittance.db'), 'no database'.repeat(500))
    expect(await open()).toEqual(
      E.left([
        { variable: 'QUITTANCE_DATA_DIR', expected: 'a directory whose files can be used (file is not a database)' },
      ]),
    )
  })

  it('names the data directory when it is a file', async () => {
    const file = join(directory, 'file')
    writeFileSync(file, '')
    expect(await open({ QUITTANCE_DATA_DIR: file })).toEqual(
      E.left([{ variable: 'QUITTANCE_DATA_DIR', expected: expect.stringContaining('EEXIST') }]),
    )
  })
})
