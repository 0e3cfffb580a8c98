import type { Capabilities, StoreUnderTest, Tampering } from '../conformance/adapter.ts'
import { reportEventStore } from '../testing/reported-suite.ts'
import { type PostgresEventStore, postgresEventStore } from './store.ts'
import { type Cluster, startCluster } from './testing/cluster.ts'
import { startAppending } from './testing/process.ts'
import { onSmallDisk, type SmallDisk } from './testing/small-disk.ts'
import { verify } from './verify.ts'

/** Flips the lowest bit of the middle character. */
const flipped = (text: string): string => {
  const middle = Math.floor(text.length / 2)
  return text.slice(0, middle) + String.fromCharCode(text.charCodeAt(middle) ^ 1) + text.slice(middle + 1)
}

const tamperWith = (cluster: Cluster, schema: string) => async (change: Tampering) => {
  const events = `${schema}.events`
  switch (change._tag) {
    case 'flipByte': {
      const { field, position } = change
      if (field === 'hash')
        await cluster.sql(
          `UPDATE ${events} SET hash = set_bit(hash, 128, 1 - get_bit(hash, 128)) WHERE position = $1`,
          [position],
        )
      else if (field === 'revision')
        await cluster.sql(`UPDATE ${events} SET revision = revision # 64 WHERE position = $1`, [position])
      else {
        const [row] = await cluster.sql(`SELECT ${field} AS value FROM ${events} WHERE position = $1`, [position])
        const value = flipped(String(row?.value))
        await cluster.sql(`UPDATE ${events} SET ${field} = $1 WHERE position = $2`, [value, position])
      }
      return
    }
    case 'dropEvent':
      await cluster.sql(`DELETE FROM ${events} WHERE position = $1`, [change.position])
      return
    case 'swapEvents':
      for (const [to, from] of [
        [-1n, change.position],
        [change.position, change.other],
        [change.other, -1n],
      ])
        await cluster.sql(`UPDATE ${events} SET position = $1 WHERE position = $2`, [to, from])
      return
    case 'cutTail':
      await cluster.sql(`DELETE FROM ${events} WHERE position > $1`, [change.after])
  }
}

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster.remove())

/** Only root may mount a small disk. */
const cannot: ReadonlyArray<keyof Capabilities> = process.getuid?.() === 0 ? [] : ['fillDisk']

const fresh = async (): Promise<StoreUnderTest> => {
  const { connectionString } = cluster
  const schema = cluster.newSchema()
  const open = () => postgresEventStore({ connectionString, schema, clock: Date.now, projections: [] })
  const [store, other]: ReadonlyArray<PostgresEventStore> = [await open(), await open()]
  if (store === undefined || other === undefined) throw new Error('two stores were opened')
  let disk: SmallDisk | null = null
  const fillDisk = async () => {
    const small = await onSmallDisk(cluster, schema)
    disk = small
    small.fill()
    return async () => small.makeRoom()
  }
  return {
    store,
    another: () => other,
    ...(cannot.includes('fillDisk') ? {} : { fillDisk }),
    tamper: tamperWith(cluster, schema),
    findProblems: async (expected) =>
      (await verify({ connectionString, schema }, { expected })).problems.map(({ stream, revision }) => ({
        stream,
        revision,
      })),
    logHead: async () => {
      const head = await store.logHead()
      if (head._tag === 'Left') throw head.left.cause
      return head.right
    },
    killedAppend: async (moment, stream, id) => {
      expect(await startAppending([connectionString, schema, moment, stream, id]).ended).toBe('SIGKILL')
    },
    dispose: async () => {
      await Promise.all([store.close(), other.close()])
      await cluster.sql(`DROP SCHEMA ${schema} CASCADE`)
      await disk?.remove()
    },
  }
}

reportEventStore('PostgreSQL', fresh, cannot)
