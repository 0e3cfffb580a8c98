import { existsSync } from 'node:fs'
import type { EventStore, SqlDatabase } from '@quittance/event-store'
import { isStoreFailure, lockFile, NewerSchema, openDatabase, readSchemaVersion } from '@quittance/event-store/sqlite'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { recordedHeads } from '../feed/checkpoints.ts'
import { LogUnreadable, OtherLog } from '../feed/failures.ts'
import { requireLogOf } from '../feed/require-log-of.ts'
import { rowWriters } from '../read-models.ts'
import type { RowWriter } from '../write-rows.ts'
import { feedMarks, inlineMarks } from './live-table.ts'
import { fileFeed, remoteFeed } from './log-feed.ts'
import { type Progress, type RebuildSite, type Rebuilt, rebuildModel } from './rebuild-model.ts'

/** What is rebuilt, and from which log. */
export type Rebuilding = {
  /** The file of the read models, which others may have open. */
  readonly path: string
  /** Their log where it is elsewhere; null where it is in the same file. */
  readonly log: EventStore | null
  /** The names of read models; all of them when null. */
  readonly models: ReadonlyArray<string> | null
  /** Read models of others than Quittance, in the same file. */
  readonly own?: ReadonlyArray<RowWriter>
  readonly compareOnly: boolean
  /** Of all models that are rebuilt; `model` is the one at work. */
  readonly onProgress: (progress: Progress & { readonly model: string }) => void
}

/** Why read models cannot be rebuilt. The live tables are as they were, or already rebuilt. */
export type RebuildFailure =
  /** There is no file, or it holds no log and no log is elsewhere. */
  | { readonly _tag: 'NothingToRebuild' }
  /** A newer release has written the file: use that one. */
  | { readonly _tag: 'NewerSchema'; readonly message: string }
  /** The read models were made from another log. */
  | { readonly _tag: 'OtherLog' }
  | { readonly _tag: 'AlreadyRebuilding' }
  /** File or log cannot be read or written, or was altered. The live tables are as they were, or already rebuilt. */
  | { readonly _tag: 'StoreUnavailable'; readonly cause: unknown }

/** The names of Quittance's read models. */
export const modelNames: ReadonlyArray<string> = rowWriters.map(({ name }) => name)

const batchSize = 500

/**
 * Rebuilds read models one after the other, while the file may be in use. One rebuild of a file runs at a time: a
 * second one is refused, and a killed one does not block the next.
 * Errors: throws `RangeError` where an own read model has the name of another, and what a fold throws at an event that
 * this release cannot read.
 */
export const rebuild =
  (options: Rebuilding): TE.TaskEither<RebuildFailure, ReadonlyArray<Rebuilt>> =>
  async () => {
    const { path, log, own = [] } = options
    const names = [...modelNames, ...own.map(({ name }) => name)]
    if (new Set(names).size < names.length) throw new RangeError('two read models have one name')
    if (!existsSync(path)) return E.left({ _tag: 'NothingToRebuild' })
    const closers: Array<() => void> = []
    try {
      // The rows are in the log, and a switch that is lost with the power leaves the table of before.
      const database = openDatabase(path, { durability: log === null ? 'full' : 'relaxedLosesCommitsOnPowerLoss' })
      closers.push(database.close)
      if (log === null && readSchemaVersion(database) === 0) return E.left({ _tag: 'NothingToRebuild' })
      const release = lockFile(`${path}-rebuild`)
      if (release === null) return E.left({ _tag: 'AlreadyRebuilding' })
      closers.push(release)
      const site = log === null ? siteInFile(database) : await siteBeside(log, database)
      return E.right(await rebuildAll(site, options))
    } catch (cause) {
      if (cause instanceof NewerSchema) return E.left({ _tag: 'NewerSchema', message: cause.message })
      if (cause instanceof OtherLog) return E.left({ _tag: 'OtherLog' })
      if (cause instanceof LogUnreadable) return E.left({ _tag: 'StoreUnavailable', cause: cause.cause })
      if (!isStoreFailure(cause)) throw cause
      return E.left({ _tag: 'StoreUnavailable', cause })
    } finally {
      for (const close of closers.reverse()) close()
    }
  }

const siteInFile = (database: SqlDatabase): RebuildSite => ({
  database,
  marks: inlineMarks(database),
  feedOf: ({ category }) => fileFeed(database, category, batchSize),
})

/** Errors: throws `OtherLog`, `LogUnreadable`. */
const siteBeside = async (log: EventStore, database: SqlDatabase): Promise<RebuildSite> => {
  const marks = feedMarks(database)
  const heads = recordedHeads(database)
  for (const head of heads) await requireLogOf(log, head)
  const known = Math.max(0, ...heads.map(({ events }) => events))
  return { database, marks, feedOf: ({ category }) => remoteFeed(log, category, batchSize, known) }
}

const rebuildAll = async (
  site: RebuildSite,
  { models, own = [], compareOnly, onProgress }: Rebuilding,
): Promise<ReadonlyArray<Rebuilt>> => {
  const chosen = [...rowWriters, ...own].filter(({ name }) => models === null || models.includes(name))
  const progress = new Map(
    chosen.map((writer) => {
      const feed = site.feedOf(writer)
      return [writer.name, { done: 0, all: feed.all(feed.reach()), comparedRows: 0 }]
    }),
  )
  const rebuilt: Array<Rebuilt> = []
  for (const writer of chosen) {
    const model = writer.name
    const onProgressOf = (own: Progress): void => {
      progress.set(model, own)
      onProgress({ model, ...totalProgress([...progress.values()]) })
    }
    rebuilt.push(await rebuildModel(site, writer, { compareOnly, onProgress: onProgressOf }))
  }
  return rebuilt
}

/** What several models are at together. */
export const totalProgress = (parts: ReadonlyArray<Progress>): Progress =>
  parts.reduce((sum, part) => ({
    done: sum.done + part.done,
    all: sum.all + part.all,
    comparedRows: sum.comparedRows + part.comparedRows,
  }))
