import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataFiles } from '@quittance/host'
import { printed, refusalOf, runInside, type TestDirectory, testDirectory } from '../testing/run-cli.ts'

const newKey = 'ab'.repeat(32)

describe('quittance vault rewrap', () => {
  let directory: TestDirectory
  beforeEach(async () => {
    directory = testDirectory()
    await directory.json('merchant', 'create', '--name', 'Ada')
  })
  afterEach(() => directory.remove())
  const run = (settings: Readonly<Record<string, string>>, ...words: ReadonlyArray<string>) =>
    runInside({ QUITTANCE_DATA_DIR: directory.path, ...settings }, ...words, '--json')
  const rewrap = (settings: Readonly<Record<string, string>>) => run(settings, 'vault', 'rewrap', '--new-key', 'env')

  it('gives the vault a master key under which the service goes on, and the old one opens nothing', async () => {
    const merchants = await directory.json('merchant', 'list')
    const file = join(directory.path, 'new.key')
    writeFileSync(file, `${newKey}\n`)
    const rewrapped = await rewrap({ QUITTANCE_NEW_MASTER_KEY_FILE: file })
    expect(printed(rewrapped)).toEqual({ rewrapped: expect.any(Number) })
    expect(printed(await rewrap({ QUITTANCE_NEW_MASTER_KEY: newKey }))).toEqual({ rewrapped: 0 })
    expect(refusalOf(await run({}, 'merchant', 'list'))).toEqual([2, 'invalid_configuration'])
    expect(printed(await run({ QUITTANCE_MASTER_KEY_FILE: file }, 'merchant', 'list'))).toEqual(merchants)
    const { status } = await run({ QUITTANCE_MASTER_KEY: newKey }, 'merchant', 'create', '--name', 'Grace')
    expect(status).toBe(0)
  })

  it('leaves a backup from before to the old master key', async () => {
    const copy = join(directory.path, 'copy')
    await directory.json('backup', copy)
    const oldKey = readFileSync(dataFiles(directory.path).masterKey, 'utf8').trim()
    await rewrap({ QUITTANCE_NEW_MASTER_KEY: newKey })
    const restore = (key: string) => run({ QUITTANCE_MASTER_KEY: key }, 'restore', copy, '--force')
    expect(refusalOf(await restore(newKey))).toEqual([1, 'wrong_master_key'])
    expect(printed(await restore(oldKey))).toMatchObject({ ok: true })
  })

  it('refuses beside an open service, without a key, and with one on the command line', async () => {
    const settings = { QUITTANCE_NEW_MASTER_KEY: newKey }
    const refusal = await directory.opened(() => rewrap(settings))
    expect(refusalOf(refusal)).toEqual([1, 'target_in_use'])
    expect(refusalOf(await rewrap({}))).toEqual([2, 'usage'])
    expect(refusalOf(await rewrap({ QUITTANCE_NEW_MASTER_KEY: 'ab' }))).toEqual([2, 'usage'])
    expect(refusalOf(await run({}, 'vault', 'rewrap', '--new-key', newKey))).toEqual([2, 'usage'])
    expect(refusalOf(await rewrap({ ...settings, QUITTANCE_MASTER_KEY: 'cd'.repeat(32) }))).toEqual([
      1,
      'wrong_master_key',
    ])
    expect(await directory.json('merchant', 'list')).toHaveLength(1)
  }, 30_000)
})
