import { existsSync } from 'node:fs'
import {
  apartBillingModule,
  CLAIMS_DATABASE,
  EVENT_LOG,
  embeddedBillingModule,
  PROJECTOR,
  ROWS_DATABASE,
} from '@quittance/billing'
import {
  openDatabase,
  SQLITE_EVENT_STORE,
  SQLITE_EVENT_STORE_OPTIONS,
  sqliteEventStoreModule,
} from '@quittance/event-store/sqlite'
import { inlineProjections, OtherLog } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type { Container } from 'inversify'
import type { DataDir } from '../data-dir.ts'
import { embeddedProgress, type ReadProgress, serverProgress } from '../log-progress.ts'
import { type TakeOverFailure, takeOver } from '../moving/take-over.ts'
import type { ConfigProblem } from '../settings.ts'

/** What has to be closed again, in the order in which it was opened. */
export type Closers = Array<() => void | Promise<void>>

type Setting = {
  readonly container: Container
  readonly files: DataDir
  /** Unix milliseconds. */
  readonly now: () => number
  readonly closers: Closers
}

type Opened = E.Either<ReadonlyArray<ConfigProblem>, ReadProgress>

const problem = (expected: string): E.Either<ReadonlyArray<ConfigProblem>, never> =>
  E.left([{ variable: 'QUITTANCE_EVENT_STORE', expected }])

/** Log, read models and claims in one file of the data directory, which is caught up once it is open. */
export const embeddedLog = ({ container, files, now, closers }: Setting): Opened => {
  if (existsSync(files.readModels)) {
    const taken = takeOver(files.readModels, files.events)
    if (E.isLeft(taken))
      return problem(whyNot(taken.left, 'the event store that the data directory was written beside'))
  }
  container.load(sqliteEventStoreModule, embeddedBillingModule)
  container
    .bind(SQLITE_EVENT_STORE_OPTIONS)
    .toConstantValue({ path: files.events, clock: now, projections: inlineProjections })
  const store = container.get(SQLITE_EVENT_STORE)
  closers.push(store.close)
  return E.right(embeddedProgress(store))
}

const whyNot = (failure: TakeOverFailure, withoutCopy: string): string => {
  switch (failure) {
    case 'NoCopy':
      return withoutCopy
    case 'CopyOutdated':
      return `${withoutCopy}, or one that all of it is copied to: run quittance copy again`
    case 'StillInUse':
      return `${withoutCopy}: another process still has it open there`
  }
}

const answerWithinMs = 5_000

/** The log on a server; read models and claims in the data directory, caught up before anything is answered from them. */
export const logOnServer = async (
  connectionString: string,
  { container, files, now, closers }: Setting,
): Promise<Opened> => {
  if (existsSync(files.events)) {
    const taken = takeOver(files.events, files.readModels)
    if (E.isLeft(taken)) return problem(whyNot(taken.left, 'sqlite: the data directory holds an event log of its own'))
  }
  // Loaded only here: it brings much along that an embedded log does not need.
  const { EVENT_STORE_DB, EVENT_STORE_DB_OPTIONS, eventStoreDbModule } = await import(
    '@quittance/event-store/eventstoredb'
  )
  container.load(eventStoreDbModule, apartBillingModule)
  container.bind(EVENT_STORE_DB_OPTIONS).toConstantValue({ connectionString, clock: now, deadlineMs: answerWithinMs })
  container.bind(EVENT_LOG).toService(EVENT_STORE_DB)
  const log = E.tryCatch(() => container.get(EVENT_STORE_DB), messageOf)
  if (E.isLeft(log)) return problem(`a connection string that can be used (${log.left})`)
  closers.push(log.right.close)

  const rows = openDatabase(files.readModels, { durability: 'relaxedLosesCommitsOnPowerLoss' })
  const claims = openDatabase(files.readModels, { durability: 'full' })
  closers.push(rows.close, claims.close)
  container.bind(ROWS_DATABASE).toConstantValue(rows)
  container.bind(CLAIMS_DATABASE).toConstantValue(claims)
  const projector = container.get(PROJECTOR)
  closers.push(projector.close)
  try {
    const begun = await projector.begin()
    if (E.isLeft(begun)) return problem(`an event store that answers (${messageOf(begun.left.cause)})`)
  } catch (cause) {
    if (cause instanceof OtherLog) return problem('the event store that the data directory was written beside')
    throw cause
  }
  return E.right(serverProgress(projector))
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
