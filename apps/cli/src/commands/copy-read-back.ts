import { join } from 'node:path'
import type { RecordedEvent } from '@quittance/domain'
import type { EventStore } from '@quittance/event-store'
import { isProven, type ReadBack, readBack } from '@quittance/event-store/copy'
import { isStoreFailure, openDatabase } from '@quittance/event-store/sqlite'
import { createProjector, inlineProjections } from '@quittance/projections'
import { type ComparedModel, type FoldApart, foldApart } from '@quittance/projections/rebuild'
import * as E from 'fp-ts/lib/Either.js'
import type { CommandError } from '../command-error.ts'
import { copyError, unusable } from './copy-errors.ts'
import type { LogLocation } from './copy-locations.ts'
import { type Closers, openServer, openSource, withClosers } from './copy-logs.ts'

/** A copy that is read back. `work` is the file that it is made in, or the read models of a log on a server. */
export type CopyToRead = { readonly to: LogLocation; readonly work: string; readonly scratch: string }

/** The end of a copy that is complete, as its source says it. */
export type CopyEnd = { readonly events: number; readonly hash: string }

/** What a copy holds. The rows of its read models are only compared where its log is that of the source. */
export type FoundInCopy = { readonly read: ReadBack; readonly models: ReadonlyArray<ComparedModel> }

/** How a copy grows, and its end, which is known once it does not grow any more. */
export type Growth = { readonly grown: AsyncIterable<unknown>; readonly end: () => CopyEnd }

/** A log to read back, and what its read models are written with and compared by. */
type Copy = {
  readonly log: Pick<EventStore, 'readAll'>
  readonly takeEvents: (events: ReadonlyArray<RecordedEvent>) => void
  readonly compareRows: (fold: FoldApart) => Promise<ReadonlyArray<ComparedModel>>
}

const eventsPerFold = 1_000
// The pages that the write-ahead log may hold before they are moved to the file: some 64 MB.
const pagesBetweenCheckpoints = 16_000

/** Reads a copy back while it is made, folds its events apart, and compares the rows once it is complete. */
export const readCopyBack = (
  copy: CopyToRead,
  { grown, end }: Growth,
  onProgress: (events: number) => void,
): Promise<E.Either<CommandError, FoundInCopy>> =>
  withClosers(async (closers) => {
    try {
      const opened = await openCopy(copy, closers)
      if (E.isLeft(opened)) return opened
      const { log, takeEvents, compareRows } = opened.right
      const rows = openDatabase(join(copy.scratch, 'fold.db'), { durability: 'noneForScratch' })
      closers.push(rows.close)
      const fold = foldApart(rows)
      let waiting: Array<RecordedEvent> = []
      const apply = (): void => {
        if (waiting.length > 0) takeEvents(waiting)
        fold.apply(waiting)
        waiting = []
      }
      const visit = (event: RecordedEvent): void => {
        waiting.push(event)
        if (waiting.length === eventsPerFold) apply()
      }
      const read = await readBack({ target: log, growth: grown, visit, onProgress })()
      if (E.isLeft(read)) return E.left(copyError(read.left))
      apply()
      const models = isProven(end(), read.right) ? await compareRows(fold) : []
      return E.right({ read: read.right, models })
    } catch (cause) {
      if (!isStoreFailure(cause)) throw cause
      return E.left(unusable(cause))
    }
  })

const openCopy = async ({ to, work }: CopyToRead, closers: Closers): Promise<E.Either<CommandError, Copy>> => {
  switch (to._tag) {
    case 'server': {
      const log = await openServer(to.connectionString, '--to', closers)
      if (E.isLeft(log)) return log
      // Written as the log is read back, so that the server sends it once.
      const rows = openDatabase(work, { durability: 'relaxedLosesCommitsOnPowerLoss' })
      closers.push(rows.close)
      rows.execute(`PRAGMA wal_autocheckpoint = ${pagesBetweenCheckpoints}`)
      const projector = createProjector(log.right, rows, inlineProjections)
      closers.push(projector.close)
      return E.right({ log: log.right, takeEvents: projector.take, compareRows: (fold) => fold.compareWith(work) })
    }
    case 'file': {
      const log = await openSource({ ...to, path: work }, closers)
      if (E.isLeft(log)) return log
      return E.right({ log: log.right.log, takeEvents: () => {}, compareRows: (fold) => fold.compareWith(work) })
    }
    case 'database': {
      const log = await openSource(to, closers)
      if (E.isLeft(log)) return log
      // Loaded only here: no other store needs the driver.
      const { postgresReader } = await import('@quittance/event-store/postgres')
      const { postgresLiveRows } = await import('@quittance/projections/postgres')
      const reader = postgresReader({ connectionString: to.connectionString })
      closers.push(reader.close)
      const compareRows = (fold: FoldApart) => fold.compareWithRows(postgresLiveRows(reader))
      return E.right({ log: log.right.log, takeEvents: () => {}, compareRows })
    }
  }
}
