import { rowsOf, type Sql, type SqlDialect, type SqlProgram, type SqlRun } from '@quittance/event-store'
import type { ReadTiles } from '@quittance/transparency'
import * as t from 'io-ts'
import { query, write } from '../sql/query.ts'
import { create, hasAll } from '../sql/schema.ts'
import { type Growth, grownBy, isSameGrowth, noGrowth, type PlacedLeaf, tileWidth } from './growth.ts'
import { placeAmong, positionAt, sortable } from './positions.ts'

/**
 * The Merkle tree over the log, in tiles. It holds nothing that the log does not tell, so it is no part of a copy of what
 * is kept beside the log: it is made again from the events.
 */
export interface LogTree {
  readonly growth: () => Promise<Growth>
  /** Adds leaves to the tree as it was read, and answers the tree after that; null, and nothing is added, if another process was first. */
  readonly grow: (from: Growth, leaves: ReadonlyArray<PlacedLeaf>) => Promise<Growth | null>
  /** Removes all leaves of a tree as it was read; another process may have been first. */
  readonly clear: (from: Growth) => Promise<void>
  readonly readTiles: ReadTiles
  /** The index of the event at this position of the log; null where the tree has none. */
  readonly indexOf: (position: bigint) => Promise<bigint | null>
  /** The position of the event with this index; null where the tree has none. */
  readonly positionOf: (index: bigint) => Promise<bigint | null>
}

const treeTables = `
  CREATE TABLE IF NOT EXISTS log_tree (
    one INTEGER PRIMARY KEY CHECK (one = 1), size INTEGER NOT NULL, subtrees BLOB NOT NULL,
    before TEXT NOT NULL, position TEXT NOT NULL, leaf BLOB NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS log_tree_tiles (
    level INTEGER NOT NULL, place INTEGER NOT NULL, hashes BLOB NOT NULL, PRIMARY KEY (level, place)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS log_tree_positions (
    place INTEGER PRIMARY KEY, first TEXT NOT NULL UNIQUE, positions BLOB NOT NULL
  ) STRICT`

/** Creates the tables of the tree. Several processes may do so at once. */
export const openTreeTables = (dialect: SqlDialect): SqlProgram<void> =>
  function* () {
    if (yield* hasAll(dialect, [treeTables])()) return
    yield* rowsOf(dialect.openingLock)()
    yield* create(dialect, treeTables)()
  }

const Bytes = new t.Type<Uint8Array, Uint8Array, unknown>(
  'Bytes',
  (input) => input instanceof Uint8Array,
  (input, context) => (input instanceof Uint8Array ? t.success(input) : t.failure(input, context)),
  t.identity,
)
const GrowthRow = t.strict({ size: t.number, subtrees: Bytes, before: t.string, position: t.string, leaf: Bytes })
type GrowthRow = t.TypeOf<typeof GrowthRow>

const growthColumns = 'SELECT size, subtrees, before, position, leaf FROM log_tree'
const growthNow = query(GrowthRow, growthColumns)
const setGrowth = write(
  `INSERT INTO log_tree (one, size, subtrees, before, position, leaf) VALUES (1, ?, ?, ?, ?, ?)
   ON CONFLICT (one) DO UPDATE SET size = excluded.size, subtrees = excluded.subtrees, before = excluded.before,
     position = excluded.position, leaf = excluded.leaf`,
)
const begun = write(
  `INSERT INTO log_tree (one, size, subtrees, before, position, leaf) VALUES (1, 0, ?, '0', '0', ?) ON CONFLICT DO NOTHING`,
)
const tile = query(t.strict({ hashes: Bytes }), 'SELECT hashes FROM log_tree_tiles WHERE level = ? AND place = ?')
const setTile = write(
  `INSERT INTO log_tree_tiles (level, place, hashes) VALUES (?, ?, ?)
   ON CONFLICT (level, place) DO UPDATE SET hashes = excluded.hashes`,
)
const positionsOf = query(t.strict({ positions: Bytes }), 'SELECT positions FROM log_tree_positions WHERE place = ?')
const tileOfPosition = query(
  t.strict({ place: t.number, positions: Bytes }),
  'SELECT place, positions FROM log_tree_positions WHERE first <= ? ORDER BY first DESC LIMIT 1',
)
const setPositions = write(
  `INSERT INTO log_tree_positions (place, first, positions) VALUES (?, ?, ?)
   ON CONFLICT (place) DO UPDATE SET positions = excluded.positions`,
)
const removals = ['log_tree', 'log_tree_tiles', 'log_tree_positions'].map((table) => write(`DELETE FROM ${table}`)())

const hashBytes = 32
const nothing = new Uint8Array(0)

const growthOf = (row: GrowthRow | null): Growth => {
  if (row === null || row.size === 0) return noGrowth
  const subtrees = Array.from({ length: row.subtrees.length / hashBytes }, (_, at) =>
    row.subtrees.subarray(at * hashBytes, (at + 1) * hashBytes),
  )
  return {
    range: { size: BigInt(row.size), subtrees },
    before: BigInt(row.before),
    last: { position: BigInt(row.position), leaf: row.leaf },
  }
}

/** A program that changes the tree waits for others that do, and sees what they have left. */
const lockingGrowth: SqlRun = {
  durability: 'soon',
  isolation: {
    level: 'read committed',
    because: 'it locks the one row of the tree before it reads or writes any other',
  },
}

/** The tree over the log, as tables of a database keep it. */
export const logTree = ({ run, dialect }: Sql): LogTree => {
  const locked = query(GrowthRow, `${growthColumns} ${dialect.lockRows}`)
  const unlessMoved = (from: Growth, change: SqlProgram<void>): SqlProgram<boolean> =>
    function* () {
      yield* begun(nothing, nothing)()
      if (!isSameGrowth(growthOf(yield* locked.one()()), from)) return false
      yield* change()
      return true
    }
  return {
    growth: async () => growthOf(await run(growthNow.one())),
    grow: async (from, leaves) => {
      const { growth, tiles, positions } = grownBy(from, leaves)
      const { range, before, last } = growth
      const isGrown = await run(
        unlessMoved(from, function* () {
          for (const { level, place, hashes } of tiles) {
            const known = (yield* tile.one(level, place)())?.hashes ?? nothing
            yield* setTile(level, place, Buffer.concat([known, ...hashes]))()
          }
          for (const [place, added] of positions) {
            const all = Buffer.concat([(yield* positionsOf.one(place)())?.positions ?? nothing, ...added])
            yield* setPositions(place, sortable(positionAt(all, 0) ?? 0n), all)()
          }
          const [subtrees, leaf] = [Buffer.concat(range.subtrees), last?.leaf ?? nothing]
          yield* setGrowth(Number(range.size), subtrees, before.toString(), (last?.position ?? 0n).toString(), leaf)()
        }),
        lockingGrowth,
      )
      return isGrown ? growth : null
    },
    clear: async (from) => {
      const removeAll: SqlProgram<void> = function* () {
        for (const remove of removals) yield* remove()
      }
      await run(unlessMoved(from, removeAll), lockingGrowth)
    },
    readTiles: (tiles) =>
      Promise.all(tiles.map(async ({ level, index }) => (await run(tile.one(level, Number(index))))?.hashes ?? null)),
    indexOf: async (position) => {
      const found = await run(tileOfPosition.one(sortable(position)))
      if (found === null) return null
      const { place, positions } = found
      const at = placeAmong(positions, position)
      return at === null ? null : BigInt(place) * tileWidth + BigInt(at)
    },
    positionOf: async (index) => {
      const found = await run(positionsOf.one(Number(index / tileWidth)))
      return found === null ? null : positionAt(found.positions, Number(index % tileWidth))
    },
  }
}
