import { createHash } from 'node:crypto'
import { openDatabase } from '@quittance/event-store/sqlite'
import { dataFiles } from '@quittance/host'
import { onChosenStore } from '../testing/on-chosen-store.ts'
import { type TestDirectory, testDirectory } from '../testing/run-cli.ts'
import { field as fieldOf } from '../testing/shapes.ts'

/** Makes a merchant, signs a checkpoint, and lets the worker put it on the ledger. */
const anchorOne = async (directory: TestDirectory): Promise<string> => {
  await directory.json('merchant', 'create', '--name', 'Ada')
  const checkpoint = fieldOf(await directory.json('checkpoint'), 'checkpoint')
  await directory.served()
  return checkpoint
}

describe('anchors', () => {
  let directory: TestDirectory
  afterEach(() => directory.remove())

  it('are listed, and not called checked where no node of their network answers', async () => {
    directory = onChosenStore()
    expect(await directory.json('checkpoint', '--anchors')).toEqual({ anchors: [] })
    const checkpoint = await anchorOne(directory)
    const listed = await directory.json('checkpoint', '--anchors')
    const [text = ''] = checkpoint.split('\n\n')
    const hash = createHash('sha256').update(`${text}\n`).digest('hex')
    expect(listed).toMatchObject({
      anchors: [
        {
          environment: 'testnet',
          events: Number(text.split('\n')[1]),
          hash,
          checkpoint,
          status: 'anchored',
          reason: null,
        },
      ],
    })
    const { stdout } = await directory.inside('checkpoint', '--anchors')
    expect(stdout).toMatch(/^NETWORK {2}EVENTS {2}STATUS.*\ntestnet .* anchored .*\n$/)

    const away = await directory.inside('verify', '--anchors')
    expect(away.status).toBe(0)
    expect(away.stdout).toContain('not checked: what stands on the testnet')
  })

  it('show that the log is not the one that they stand for', async () => {
    directory = testDirectory()
    await anchorOne(directory)
    const database = openDatabase(dataFiles(directory.path).events, { durability: 'full' })
    database.execute('UPDATE events SET recorded_at = recorded_at + 1 WHERE position = 1')
    database.close()
    const { status, stdout } = await directory.inside('verify', '--anchors')
    expect(status).toBe(1)
    expect(stdout).toContain('this recorded time is not the one that was signed in the checkpoint')
  })
})
