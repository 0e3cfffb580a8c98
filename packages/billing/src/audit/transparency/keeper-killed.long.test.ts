import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { leafOf, parseCheckpoint, parseNote } from '@quittance/transparency'
import { memoryTree } from '@quittance/transparency/testing/memory-tree'
import { done, right } from '../../testing/outcomes.ts'
import { temporaryFolder } from '../../testing/platform.ts'
import { feedTree } from './feed-tree.ts'
import { signCheckpoint } from './sign-checkpoint.ts'
import { openLoneLog } from './testing/lone-log.ts'

const script = fileURLToPath(new URL('./testing/dying-keeper.ts', import.meta.url))

type LoneLog = ReturnType<typeof openLoneLog>

/** Opens a log during `work`. */
const within = async <A>(folder: string, work: (log: LoneLog) => Promise<A>): Promise<A> => {
  const log = openLoneLog(folder)
  try {
    return await work(log)
  } finally {
    log.close()
  }
}

const contentOf = (note: string) => right(parseCheckpoint(right(parseNote(note)).text))

/** The tree of a log by its definition. */
const treeOf = async ({ services: { store } }: LoneLog) => {
  const leaves: Array<Uint8Array> = []
  for await (const { metadata, recordedAt } of store.readAll(0n))
    leaves.push(leafOf({ hash: metadata.hash, recordedAt }))
  return memoryTree(leaves)
}

const tables = ['log_tree', 'log_tree_tiles', 'log_tree_positions']
const rowsOfTree = ({ file }: LoneLog) =>
  tables.map((table) => file.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all())

describe('a process that is killed before each of its writes while it feeds the tree and signs', () => {
  it.each([
    ['the first checkpoint of a log', false],
    ['the next checkpoint, after an event that fills a tile', true],
  ])('leaves a log that goes on with the right tree, and no two checkpoints of one size: %s', async (_, hasOne) => {
    const folder = temporaryFolder()
    const [saved, path] = [join(folder.path, 'saved'), join(folder.path, 'now')]
    mkdirSync(saved)
    await within(saved, async (log) => {
      await log.grow(250)
      if (!hasOne) return
      await done(signCheckpoint(log.services))
      await log.grow(10)
    })
    // A killed process leaves nothing there; the whole one does, so the others start in half the time.
    const env = { ...process.env, NODE_COMPILE_CACHE: join(folder.path, 'compiled') }
    const found = new Set<number>()
    const run = (write: number | 'none') => {
      rmSync(path, { recursive: true, force: true })
      cpSync(saved, path, { recursive: true })
      return spawnSync(process.execPath, ['--no-warnings', script, path, String(write)], { env, encoding: 'utf8' })
    }
    const whole = run('none')
    expect([whole.stderr, whole.status]).toEqual(['', 0])
    const writes = Number(whole.stdout)
    expect(writes).toBeGreaterThan(8)
    for (let write = 0; write < writes; write += 1) {
      const { stderr, signal } = run(write)
      expect([stderr, signal]).toEqual(['', 'SIGKILL'])
      await within(path, async (log) => {
        const { latestCheckpoint } = log.services
        const before = log.kept.newest()
        found.add(before.length)
        // Nobody sees a checkpoint that the file does not have.
        expect([null, ...before]).toContain(await latestCheckpoint.note())
        const note = await done(signCheckpoint(log.services))
        const tree = await treeOf(log)
        const kept = log.kept.newest()
        expect(kept.slice(0, before.length)).toEqual(before)
        expect([kept.at(-1), await latestCheckpoint.note()]).toEqual([note, note])
        const contents = kept.map(contentOf)
        const { origin } = contentOf(note)
        expect(contents).toEqual(contents.map(({ size }) => ({ origin, ...tree.headAt(size) })))
        const sizes = contents.map(({ size }) => size)
        expect(new Set(kept).size).toBe(new Set(sizes).size)

        const [head, rows] = [await done(feedTree(log.services)), rowsOfTree(log)]
        expect(head).toEqual(tree.headAt(contentOf(note).size))
        for (const table of tables) log.file.execute(`DELETE FROM ${table}`)
        expect([await done(feedTree(log.services)), rowsOfTree(log)]).toEqual([head, rows])
      })
    }
    const first = hasOne ? 1 : 0
    expect(found).toEqual(new Set([first, first + 1]))
    folder.remove()
  })
})
