import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { refusalOf, runOnFullDisk, type TestDirectory, testDirectory } from '../testing/run-cli.ts'

describe('archive', () => {
  let directory: TestDirectory
  beforeEach(() => {
    directory = testDirectory()
  })
  afterEach(() => directory.remove())
  const folder = (): string => join(directory.path, 'segments')
  const future = '2100-01-01'

  it('archived events are verified, read, rebuilt, compared and reconciled as before', async () => {
    await directory.json('merchant', 'create', '--name', 'Ada')
    const before = await directory.json('merchant', 'list')
    const archived = await directory.json('archive', '--before', future)
    const [name] = readdirSync(folder()).filter((file) => file.startsWith('events-'))
    expect(archived).toMatchObject({ archived: 4, segments: [{ first: 1, last: 4, file: name }], free_bytes: 0 })
    expect(await directory.json('verify')).toEqual({ ok: true, events: 5, problems: [], not_checked: [] })
    await directory.json('merchant', 'create', '--name', 'Grace')
    expect(await directory.json('archive', '--before', future)).toMatchObject({ archived: 5 })
    expect(await directory.json('archive', '--before', future)).toMatchObject({ archived: 0, segments: [] })
    expect(await directory.json('merchant', 'list')).toEqual(expect.arrayContaining([...[before].flat()]))
    for (const model of [await directory.json('rebuild')].flat())
      expect(model).toMatchObject({ differing: 0, compared: true })
    const copy = `${directory.path}/copy.db`
    expect(await directory.json('copy', '--from', join(directory.path, 'quittance.db'), '--to', copy)).toMatchObject({
      ok: true,
      copied: 10,
    })
  })

  it('nothing of this year and the last is archived unless it is said', async () => {
    await directory.json('merchant', 'create', '--name', 'Ada')
    expect(await directory.json('archive')).toMatchObject({ archived: 0, segments: [] })
    expect(await directory.inside('archive', '--before', future)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^ok: 4 events archived, in 1 segment; the log's file has [\d,]+ bytes, before /),
      stderr: expect.stringMatching(/^sealed events-1-4-[0-9a-f]{16}\.db: 4 events\n$/),
    })
    expect(await directory.inside('archive', '--compact')).toMatchObject({ status: 0 })
  })

  it('a full disk leaves a log that reads as before, and archiving goes on', async () => {
    await directory.json('merchant', 'create', '--name', 'Ada')
    const settings = { QUITTANCE_DATA_DIR: directory.path }
    const full = await runOnFullDisk(8, settings, 'archive', '--before', future, '--json')
    expect(refusalOf(full)).toEqual([1, 'store_unavailable'])
    expect(await directory.json('verify')).toEqual({ ok: true, events: 5, problems: [], not_checked: [] })
    expect(await directory.json('archive', '--before', future)).toMatchObject({ archived: 4 })
  })

  it('a missing segment is named by verify, and by whatever opens the log', async () => {
    await directory.json('merchant', 'create', '--name', 'Ada')
    await directory.json('archive', '--before', future)
    for (const name of readdirSync(folder())) rmSync(join(folder(), name))
    const { status, stdout } = await directory.inside('verify', '--json')
    expect([status, JSON.parse(stdout).problems[0].problem]).toEqual([
      1,
      expect.stringMatching(/^the segment events-1-4-.* with the positions 1 to 4 is missing in .*segments$/),
    ])
    const { stderr } = await directory.inside('merchant', 'list')
    expect(stderr).toMatch(
      /QUITTANCE_DATA_DIR must be a directory whose files can be used \(the segment events-1-4-.*; put the file back from a backup\)/,
    )
  })

  it('refuses another day than the first of a month, a missing log, and a log that is open', async () => {
    expect(await directory.refusal('archive')).toEqual([1, 'no_event_log'])
    await directory.json('merchant', 'create', '--name', 'Ada')
    for (const day of ['2026-01-02', '2026-1-1', '2026-13-01', 'yesterday'])
      expect(await directory.refusal('archive', '--before', day)).toEqual([2, 'usage'])
    await directory.opened(async () => {
      expect(await directory.refusal('archive', '--compact')).toEqual([1, 'target_in_use'])
    })
  })
})
