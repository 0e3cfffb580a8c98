import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { RecordedEvent } from '@quittance/domain'
import { type CopyProblem, compareLogs, copyLog } from '@quittance/event-store/copy'
import { isStoreFailure, lockFile, openDatabase } from '@quittance/event-store/sqlite'
import { copyKeys, copyPathOf, dataFiles, finishCopy, holdsAnother } from '@quittance/host'
import { type ComparedModel, foldApart } from '@quittance/projections/rebuild'
import * as E from 'fp-ts/lib/Either.js'
import { type CommandError, refused } from '../command-error.ts'
import { progressLines } from '../progress.ts'
import type { Screen } from '../screen.ts'
import { copyError, finishError, unusableFile } from './copy-errors.ts'
import type { LogLocation } from './copy-locations.ts'
import { openSource, openTarget, withClosers } from './copy-logs.ts'

/**
 * The state of the companion file, which holds the data that is in no log: there was none; it is in place; or the first
 * start of a service moves it.
 */
export type CompanionState = 'none' | 'in_place' | 'at_first_start'

export type Copied = {
  readonly events: number
  readonly copied: number
  readonly streams: number
  readonly problems: ReadonlyArray<CopyProblem>
  readonly models: ReadonlyArray<ComparedModel>
  readonly companion: CompanionState
}

type Files = {
  /** The file that the copy is made in, or the read models of a copy on a server. */
  readonly work: string
  /** Its final path; null while the file of another setting is there, until a service starts on the copy. */
  readonly destination: string | null
  /** The companion file of the source; null where there is none. */
  readonly source: string | null
}

/** The file of a data directory that holds the data that is in no log. */
const companionFile = ({ _tag, directory }: LogLocation): string | null => {
  if (directory === null) return null
  const { events, readModels } = dataFiles(directory)
  return _tag === 'file' ? events : readModels
}

const filesOf = (from: LogLocation, to: LogLocation, scratch: string): Files => {
  const destination = companionFile(to)
  const companion = companionFile(from)
  const source = companion !== null && existsSync(companion) ? companion : null
  if (destination === null)
    return { work: to._tag === 'file' ? to.path : join(scratch, 'rows.db'), destination, source: null }
  const copy = copyPathOf(destination)
  const isInTheWay = source !== null && from.directory === to.directory
  const isGrowing = to._tag === 'file' && existsSync(destination) && !(isInTheWay && existsSync(copy))
  return { work: isGrowing ? destination : copy, destination: isInTheWay ? null : destination, source }
}

/**
 * Copies a log, builds the read models of the copy, proves both, and then moves the data that is in no log. A later run
 * goes on where an earlier one ended. On an error the target holds a prefix of the source, and is not in place yet.
 */
export const copyPlatform = async (
  from: LogLocation,
  to: LogLocation,
  screen: Screen,
): Promise<E.Either<CommandError, Copied>> => {
  const destination = companionFile(to)
  if (destination === null) return inScratch((scratch) => copyInto(from, to, scratch, screen))
  const directory = dirname(destination)
  if (from.directory !== to.directory && holdsAnother(directory, destination))
    return E.left(refused('foreign_target', `${directory} holds another deployment.`))
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const release = lockFile(`${destination}-copying`)
  if (release === null)
    return E.left(refused('already_copying', 'Another copy to this target is running: wait for its end.'))
  try {
    return await inScratch((scratch) => copyInto(from, to, scratch, screen))
  } finally {
    release()
  }
}

const inScratch = async <A>(
  work: (folder: string) => Promise<E.Either<CommandError, A>>,
): Promise<E.Either<CommandError, A>> => {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-copy-'))
  try {
    return await work(folder)
  } catch (cause) {
    if (!isStoreFailure(cause)) throw cause
    return E.left(unusableFile(cause))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const copyInto = async (
  from: LogLocation,
  to: LogLocation,
  scratch: string,
  screen: Screen,
): Promise<E.Either<CommandError, Copied>> => {
  const files = filesOf(from, to, scratch)
  // Rows are rebuilt each time: those of an earlier run may come from another server.
  if (to._tag === 'server') for (const rest of ['', '-wal', '-shm']) rmSync(`${files.work}${rest}`, { force: true })
  const proven = await copyAndProve(from, to, files.work, scratch, screen)
  if (E.isLeft(proven)) return proven
  const { last, ...copied } = proven.right
  const isSound = copied.problems.length === 0 && copied.models.every(({ differing }) => differing === 0)
  if (to.directory === null || !isSound) return E.right({ ...copied, companion: 'none' })
  const { directory } = to
  const finished = await finishCopy({
    copy: files.work,
    place: files.destination,
    source: files.source,
    end: { events: copied.events, hash: last?.metadata.hash ?? '' },
    isStillEnd: () => endsAt(from, last?.position ?? 0n),
    bringKeys: () => {
      if (from.directory !== null && from.directory !== directory) copyKeys(from.directory, directory)
    },
  })
  if (E.isLeft(finished)) return E.left(finishError(finished.left))
  const companion = files.source === null ? 'none' : files.destination === null ? 'at_first_start' : 'in_place'
  return E.right({ ...copied, companion })
}

/** Whether a log ends at a position; false also where it cannot be read any more. */
const endsAt = (location: LogLocation, position: bigint): Promise<boolean> =>
  withClosers(async (closers) => {
    const source = openSource(location, closers)
    if (E.isLeft(source)) return false
    for await (const _ of source.right.log.readAll(position)) return false
    return true
  })

const eventsPerFold = 1_000

type Proven = Omit<Copied, 'companion'> & { readonly last: RecordedEvent | null }

const copyAndProve = (
  from: LogLocation,
  to: LogLocation,
  work: string,
  scratch: string,
  screen: Screen,
): Promise<E.Either<CommandError, Proven>> =>
  withClosers(async (closers) => {
    const source = openSource(from, closers)
    if (E.isLeft(source)) return source
    const target = openTarget(to, work, closers)
    if (E.isLeft(target)) return target
    const counted = await source.right.count()
    if (E.isLeft(counted)) return E.left(copyError(counted.left))

    const copying = progressOf(screen, 'copied', counted.right)
    const [reading, writing] = [source.right.log, target.right.log]
    const copied = await copyLog({ source: reading, target: writing, onProgress: copying.show })()
    copying.end()
    if (E.isLeft(copied)) return E.left(copyError(copied.left))
    const built = await target.right.buildRows()
    if (E.isLeft(built)) return E.left(copyError({ _tag: 'LogUnavailable', log: 'target', cause: built.left.cause }))

    const { events } = copied.right
    const rows = openDatabase(join(scratch, 'fold.db'), { durability: 'relaxedLosesCommitsOnPowerLoss' })
    closers.push(rows.close)
    const fold = foldApart(rows)
    let waiting: Array<RecordedEvent> = []
    const apply = (): void => {
      fold.apply(waiting)
      waiting = []
    }
    const proving = progressOf(screen, 'verified', events)
    const compared = await compareLogs({
      source: reading,
      target: writing,
      events,
      visit: (log, event) => {
        if (log === 'source') waiting.push(event)
        if (waiting.length === eventsPerFold) apply()
      },
      onProgress: proving.show,
    })()
    proving.end()
    if (E.isLeft(compared)) return E.left(copyError(compared.left))
    apply()
    const { streams, last, problems } = compared.right
    const models = problems.length > 0 ? [] : await fold.compareWith(work)
    return E.right({ events, copied: copied.right.copied, streams, last, problems, models })
  })

const progressOf = (screen: Screen, model: string, all: number) => {
  const lines = progressLines(screen, () => performance.now())
  return { show: (done: number) => lines.show({ model, done, all, comparedRows: 0 }), end: lines.end }
}
