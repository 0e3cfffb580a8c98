import { existsSync } from 'node:fs'
import type { SqlDatabase } from '@quittance/event-store'
import { isStoreFailure, lockFile, NewerSchema, openDatabase, readSchemaVersion } from '@quittance/event-store/sqlite'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { rowWriters } from '../read-models.ts'
import { eventCounter } from './count-events.ts'
import { type ModelRebuilding, type Progress, type Rebuilt, rebuildModel } from './rebuild-model.ts'

export type Rebuilding = {
  /** The file of the event log, which others may have open. */
  readonly path: string
  /** The names of read models; all of them when null. */
  readonly models: ReadonlyArray<string> | null
  readonly compareOnly: boolean
  /** Of all models that are rebuilt; `model` is the one at work. */
  readonly onProgress: (progress: Progress & { readonly model: string }) => void
}

export type RebuildFailure =
  | { readonly _tag: 'NoEventLog' }
  /** A newer release has written the file: use that one. */
  | { readonly _tag: 'NewerSchema'; readonly message: string }
  | { readonly _tag: 'AlreadyRebuilding' }
  /** The file cannot be read or written, or was altered. The live tables are as they were, or already rebuilt. */
  | { readonly _tag: 'StoreUnavailable'; readonly cause: unknown }

/** The names of the read models that can be rebuilt. */
export const modelNames: ReadonlyArray<string> = rowWriters.map(({ name }) => name)

const batchSize = 500

/**
 * Rebuilds read models one after the other, while the file may be in use. One rebuild of a file runs at a time: who
 * comes second is refused, and a rebuild that was killed stands in nobody's way.
 * Errors: throws what a fold throws at an event that this release cannot read.
 */
export const rebuild =
  (options: Rebuilding): TE.TaskEither<RebuildFailure, ReadonlyArray<Rebuilt>> =>
  async () => {
    const { path } = options
    if (!existsSync(path)) return E.left({ _tag: 'NoEventLog' })
    const closers: Array<() => void> = []
    try {
      const database = openDatabase(path, { durability: 'full' })
      closers.push(database.close)
      if (readSchemaVersion(database) === 0) return E.left({ _tag: 'NoEventLog' })
      const release = lockFile(`${path}-rebuild`)
      if (release === null) return E.left({ _tag: 'AlreadyRebuilding' })
      closers.push(release)
      return E.right(await rebuildAll(database, options))
    } catch (cause) {
      if (cause instanceof NewerSchema) return E.left({ _tag: 'NewerSchema', message: cause.message })
      if (!isStoreFailure(cause)) throw cause
      return E.left({ _tag: 'StoreUnavailable', cause })
    } finally {
      for (const close of closers.reverse()) close()
    }
  }

const rebuildAll = async (
  database: SqlDatabase,
  { models, compareOnly, onProgress }: Rebuilding,
): Promise<ReadonlyArray<Rebuilt>> => {
  const chosen = rowWriters.filter(({ name }) => models === null || models.includes(name))
  const progress = new Map(
    chosen.map(({ name, category }) => [
      name,
      { done: 0, all: eventCounter(database, category)(Number.MAX_SAFE_INTEGER), comparedRows: 0 },
    ]),
  )
  const rebuilt: Array<Rebuilt> = []
  for (const writer of chosen) {
    const model = writer.name
    const options: ModelRebuilding = {
      batchSize,
      compareOnly,
      onProgress: (own) => {
        progress.set(model, own)
        onProgress({ model, ...total([...progress.values()]) })
      },
    }
    rebuilt.push(await rebuildModel(database, writer, options))
  }
  return rebuilt
}

const total = (parts: ReadonlyArray<Progress>): Progress =>
  parts.reduce((sum, part) => ({
    done: sum.done + part.done,
    all: sum.all + part.all,
    comparedRows: sum.comparedRows + part.comparedRows,
  }))
