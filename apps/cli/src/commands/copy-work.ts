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
import { type Closers, openSource, openTarget } from './copy-logs.ts'

/** The state of the data that is in no log: there was none; it is in place; or the first start of a service moves it. */
export type Beside = 'none' | 'in_place' | 'at_first_start'

export type Copied = {
  readonly events: number
  readonly copied: number
  readonly streams: number
  readonly problems: ReadonlyArray<CopyProblem>
  readonly models: ReadonlyArray<ComparedModel>
  readonly beside: Beside
}

type Files = {
  /** The file that the copy is made in, or the read models of a copy on a server. */
  readonly work: string
  /** Its final path; null while the file of another setting is there, until a service starts on the copy. */
  readonly place: string | null
  /** The source's file with the data that is in no log; null where there is none. */
  readonly source: string | null
}

const fileBeside = ({ _tag, directory }: LogLocation): string | null => {
  if (directory === null) return null
  const { events, readModels } = dataFiles(directory)
  return _tag === 'file' ? events : readModels
}

const filesOf = (from: LogLocation, to: LogLocation, scratch: string): Files => {
  const place = fileBeside(to)
  const beside = fileBeside(from)
  const source = beside !== null && existsSync(beside) ? beside : null
  if (place === null)
    return { work: to._tag === 'file' ? to.path : join(scratch, 'rows.db'), place: null, source: null }
  const copy = copyPathOf(place)
  const isInTheWay = source !== null && from.directory === to.directory
  const isGrowing = to._tag === 'file' && existsSync(place) && !(isInTheWay && existsSync(copy))
  return { work: isGrowing ? place : copy, place: isInTheWay ? null : place, source }
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
  const place = fileBeside(to)
  if (place === null) return inScratch((scratch) => copyInto(from, to, scratch, screen))
  const directory = dirname(place)
  if (from.directory !== to.directory && holdsAnother(directory, place))
    return E.left(refused('foreign_target', `${directory} holds another deployment.`))
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const release = lockFile(`${place}-copying`)
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
  if (to.directory === null || !isSound) return E.right({ ...copied, beside: 'none' })
  const { directory } = to
  const finished = await finishCopy({
    copy: files.work,
    place: files.place,
    source: files.source,
    end: { events: copied.events, hash: last?.metadata.hash ?? '' },
    isStillEnd: () => endsAt(from, last?.position ?? 0n),
    bringKeys: () => {
      if (from.directory !== null && from.directory !== directory) copyKeys(from.directory, directory)
    },
  })
  if (E.isLeft(finished)) return E.left(finishError(finished.left))
  const beside = files.source === null ? 'none' : files.place === null ? 'at_first_start' : 'in_place'
  return E.right({ ...copied, beside })
}

/** Whether a log ends at a position; false also where it cannot be read any more. */
const endsAt = async (place: LogLocation, position: bigint): Promise<boolean> => {
  const closers: Closers = []
  try {
    const source = openSource(place, closers)
    if (E.isLeft(source)) return false
    for await (const _ of source.right.log.readAll(position)) return false
    return true
  } finally {
    for (const close of closers.reverse()) await close()
  }
}

const eventsPerFold = 1_000

type Proven = Omit<Copied, 'beside'> & { readonly last: RecordedEvent | null }

const copyAndProve = async (
  from: LogLocation,
  to: LogLocation,
  work: string,
  scratch: string,
  screen: Screen,
): Promise<E.Either<CommandError, Proven>> => {
  const closers: Closers = []
  try {
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
    const models = problems.length > 0 ? [] : fold.compareWith(work)
    return E.right({ events, copied: copied.right.copied, streams, last, problems, models })
  } finally {
    for (const close of closers.reverse()) await close()
  }
}

const progressOf = (screen: Screen, model: string, all: number) => {
  const lines = progressLines(screen, () => performance.now())
  return { show: (done: number) => lines.show({ model, done, all, comparedRows: 0 }), end: lines.end }
}
