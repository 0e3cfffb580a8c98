import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loneProgram } from '@quittance/event-store'
import { openDatabase, runNow } from '@quittance/event-store/sqlite'
import { dataFiles } from '@quittance/host'
import { rewriteLog } from '../testing/forged-log.ts'
import { type TestDirectory, testDirectory } from '../testing/run-cli.ts'

let directory: TestDirectory
let checkpoint: string
beforeEach(async () => {
  directory = testDirectory()
  checkpoint = join(directory.path, 'given.txt')
  await directory.json('merchant', 'create', '--name', 'Ada')
  await directory.json('checkpoint', '--out', checkpoint)
  await directory.json('merchant', 'create', '--name', 'Grace')
})
afterEach(() => directory.remove())

const files = () => dataFiles(directory.path)
const inLog = (sql: string): void => {
  const database = openDatabase(files().events, { durability: 'full' })
  database.execute(sql)
  database.close()
}
const valueIn = (sql: string): string => {
  const database = openDatabase(files().events, { durability: 'full', readOnly: true })
  try {
    return String(Object.values(database.prepare(sql).get() ?? {})[0])
  } finally {
    database.close()
  }
}
/** What `verify` prints, line by line. */
const found = async (...words: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const { stdout, stderr } = await directory.inside('verify', ...words)
  if (stderr !== '') throw new Error(stderr)
  return stdout.trimEnd().split('\n')
}
const against = () => found('--against', checkpoint)

describe('verify against a checkpoint', () => {
  it('finds no problem in a log that continues it, nor against those that the data directory keeps', async () => {
    const events = Number(valueIn('SELECT count(*) FROM events'))
    const ok = `ok: ${events} events, 0 problems, compared with 1 checkpoint`
    expect([await against(), await found()]).toEqual([[ok], [ok]])
    expect(await directory.json('verify')).toEqual({ ok: true, events, checkpoints: 1, problems: [], not_checked: [] })
  })

  it('finds a cut end, and an older copy', async () => {
    const size = Number((await signed()).events)
    inLog(`DELETE FROM events WHERE position > ${size - 1}; UPDATE inline_projections SET position = ${size - 1}`)
    const used = 'log_transparency-platform @ 0 is not the event that it was when a key was used'
    const problem = `its end is missing: a checkpoint of ${size} events was signed, and the log has ${size - 1}: the end was cut off, or this is an older copy`
    const verdict = `not ok: ${size - 1} events, 2 problems, compared with 1 checkpoint`
    expect([await against(), await found()]).toEqual([
      [verdict, used, problem],
      [verdict, used, problem],
    ])
  })

  it('names the event whose recorded time was changed', async () => {
    const stream = valueIn(
      'SELECT stream FROM events GROUP BY stream HAVING count(*) > 1 ORDER BY min(position) LIMIT 1',
    )
    inLog(`UPDATE events SET recorded_at = recorded_at + 1 WHERE stream = '${stream}' AND revision = 0`)
    const size = (await signed()).events
    const [verdict, ...problems] = await against()
    expect(verdict).toMatch(/^not ok: \d+ events, 1 problem, compared with 1 checkpoint$/)
    expect(problems).toEqual([
      `${stream} @ 0: this recorded time is not the one that was signed in the checkpoint of ${size} events`,
    ])
  })

  it.each([
    ['data', 'Ada', 'Eve'],
    ['actor', /"actor":"[^"]*"/, '"actor":"Eve"'],
  ])(
    'names the first event that has another %s, in a log with all of its hashes computed again',
    async (_, from, to) => {
      await rewriteLog(files().events, 'MerchantCreated', from, to)
      const stream = valueIn("SELECT stream FROM events WHERE type = 'MerchantCreated' ORDER BY position LIMIT 1")
      const size = (await signed()).events
      const [verdict, ...problems] = await against()
      expect(verdict).toMatch(/^not ok: \d+ events, 1 problem, compared with 1 checkpoint$/)
      expect(problems).toEqual([
        `${stream} @ 0: this event is not the one that was signed in the checkpoint of ${size} events`,
      ])
      inLog('DELETE FROM log_tree_tiles')
      expect((await against()).slice(1)).toEqual([
        `its history was rewritten: the first ${size} events are not those that were signed`,
      ])
    },
  )

  it('finds another log in the place of this one', async () => {
    const other = testDirectory()
    for (const name of ['Eve', 'Mallory', 'Trudy']) await other.json('merchant', 'create', '--name', name)
    for (const end of ['-wal', '-shm']) rmSync(`${files().events}${end}`, { force: true })
    copyFileSync(dataFiles(other.path).events, files().events)
    other.remove()
    // Before that, the vault says that it is not the one of this log.
    expect((await against()).at(-1)).toMatch(/^its history was rewritten: the first \d+ events are not/)
  })

  it('takes a checkpoint only from the key that is given', async () => {
    const { vkeys } = await signed()
    const [vkey = ''] = vkeys
    expect((await found('--against', checkpoint, '--key', vkey)).slice(1)).toEqual([])
    const forged = readFileSync(checkpoint, 'utf8').replace(/\n\d+\n/, '\n1\n')
    writeFileSync(checkpoint, forged)
    expect((await found('--against', checkpoint, '--key', vkey)).slice(1)).toEqual([
      'the checkpoint of 1 event is not signed by the key of --key',
    ])
  })

  it('refuses a file that is missing, or holds no checkpoint, and a key that is none', async () => {
    const refusal = (...words: ReadonlyArray<string>) => directory.refusal('verify', ...words)
    expect(await refusal('--against', join(directory.path, 'nothing'))).toEqual([1, 'file_not_found'])
    writeFileSync(checkpoint, 'no checkpoint')
    expect(await refusal('--against', checkpoint)).toEqual([1, 'no_checkpoint'])
    expect(await refusal('--against', checkpoint, '--key', 'x')).toEqual([2, 'usage'])
  })
})

describe('checkpoint', () => {
  it('is the same again without new events, and refuses to replace a file', async () => {
    const first = await signed()
    expect(await signed()).toEqual(first)
    expect(existsSync(checkpoint)).toBe(true)
    expect(await directory.refusal('checkpoint', '--out', checkpoint)).toEqual([1, 'file_not_written'])
  })

  it('begins again under another name after an older copy, for a reason, and refuses that where the log goes on', async () => {
    const again = ['--begin-again', '--reason', 'the disk died', '--by', 'Ada']
    expect(await directory.refusal('checkpoint', ...again)).toEqual([1, 'log_continues'])
    inLog(
      'UPDATE events SET recorded_at = recorded_at + 1 WHERE position = 1; DELETE FROM log_tree; DELETE FROM log_tree_tiles; DELETE FROM log_tree_positions',
    )
    expect(await directory.refusal('checkpoint')).toEqual([1, 'checkpoint_not_continued'])
    const [own] = (await signed()).vkeys
    const begun = await directory.json('checkpoint', ...again)
    expect(begun).toMatchObject({ origin: expect.not.stringContaining(String(own).split('+')[0] ?? '') })
    expect(await directory.json('checkpoint')).toEqual(begun)
    expect(await directory.json('verify')).toMatchObject({ ok: true, checkpoints: 1 })
    expect((await against())[0]).toMatch(/^not ok/)
  })

  it('has another key after one was rotated', async () => {
    const { vkeys } = await signed()
    expect(await directory.json('checkpoint', '--rotate-key', '--reason', 'Grace has left')).toMatchObject({
      vkeys: [vkeys[0], expect.any(String)],
    })
    expect((await against())[0]).toMatch(/^ok/)
  })

  it.each([
    ['two decisions', ['--begin-again', '--rotate-key', '--reason', 'why']],
    ['a decision without a reason', ['--begin-again']],
    ['an empty name', ['--rotate-key', '--reason', 'why', '--by', ' ']],
    ['a reason for nothing', ['--reason', 'why']],
    ['a person who decides nothing', ['--by', 'Ada']],
    ['anchors and a decision', ['--anchors', '--rotate-key', '--reason', 'why']],
    ['anchors and a file', ['--anchors', '--out', 'file']],
  ])('refuses %s', async (_, words) => {
    expect(await directory.refusal('checkpoint', ...words)).toEqual([2, 'usage'])
  })

  it('is refused where the log does not continue the last one', async () => {
    inLog(
      'UPDATE events SET recorded_at = recorded_at + 1 WHERE position = 1; DELETE FROM log_tree; DELETE FROM log_tree_tiles; DELETE FROM log_tree_positions',
    )
    expect(await directory.refusal('checkpoint')).toEqual([1, 'checkpoint_not_continued'])
  })
})

type Signed = { readonly events: number; readonly vkeys: ReadonlyArray<string> }
const signed = async (): Promise<Signed> => {
  const text = readFileSync(checkpoint, 'utf8')
  const events = Number(text.split('\n')[1])
  const database = openDatabase(files().events, { durability: 'full', readOnly: true })
  const vkeys = runNow(
    database,
    loneProgram("SELECT data FROM events WHERE type = 'TransparencyLogBegun'", [], ({ rows }) =>
      rows.map(({ data }) => String(JSON.parse(String(data)).vkey)),
    ),
  )
  database.close()
  return { events, vkeys }
}
