import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { RecordedEvent } from '@quittance/domain'
import { type CopyProblem, type CopyTarget, copyLog, proveCopy } from '@quittance/event-store/copy'
import { isStoreFailure, lockFile } from '@quittance/event-store/sqlite'
import { beginInDatabase, checkKeys, copyPathOf, holdsAnother, sharesVault } from '@quittance/host'
import type { ComparedModel } from '@quittance/projections/rebuild'
import * as E from 'fp-ts/lib/Either.js'
import { type CommandError, refused } from '../command-error.ts'
import { progressLines } from '../progress.ts'
import type { Screen } from '../screen.ts'
import { copyError, finishError, keyError, unusable } from './copy-errors.ts'
import { type CompanionState, companionFile, type Files, finish, type Keys, keeperOf } from './copy-finish.ts'
import { type CopySecrets, masterKeyOf } from './copy-keys.ts'
import { isLogAlone, type LogLocation } from './copy-locations.ts'
import { openSource, openTarget, withClosers } from './copy-logs.ts'
import { readAside } from './copy-read-aside.ts'

export type Copied = {
  readonly events: number
  readonly copied: number
  readonly streams: number
  readonly problems: ReadonlyArray<CopyProblem>
  readonly models: ReadonlyArray<ComparedModel>
  readonly companion: CompanionState
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

/** What one copy runs by. */
type Copy = {
  readonly from: LogLocation
  readonly to: LogLocation
  readonly keys: Keys
  readonly screen: Screen
}

/**
 * Copies a log, builds the read models of the copy, proves both, and then moves the data that is in no log. A later run
 * goes on where an earlier one ended. On an error the target holds a prefix of the source, and is not in place yet.
 */
export const copyPlatform = async (
  from: LogLocation,
  to: LogLocation,
  secrets: CopySecrets,
  screen: Screen,
): Promise<E.Either<CommandError, Copied>> => {
  const masterKey = masterKeyOf(secrets, from, to)
  if (E.isLeft(masterKey)) return masterKey
  const copy = { from, to, screen, keys: { masterKey: masterKey.right, vaultUrl: secrets.vaultUrl } }
  const destination = companionFile(to)
  const lock = destination ?? (to._tag === 'database' && to.directory !== null ? join(to.directory, 'database') : null)
  if (lock === null) return inScratch((scratch) => copyInto(copy, scratch))
  const directory = dirname(lock)
  if (destination !== null && from.directory !== to.directory && holdsAnother(directory, destination))
    return E.left(refused('foreign_target', `${directory} holds another deployment.`))
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const release = lockFile(`${lock}-copying`)
  if (release === null)
    return E.left(refused('already_copying', 'Another copy to this target is running: wait for its end.'))
  try {
    return await inScratch((scratch) => copyInto(copy, scratch))
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
    return E.left(unusable(cause))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const copyInto = async (copy: Copy, scratch: string): Promise<E.Either<CommandError, Copied>> => {
  const { from, to, keys } = copy
  const files = filesOf(from, to, scratch)
  // Rows are rebuilt each time: those of an earlier run may come from another server.
  if (to._tag === 'server') for (const rest of ['', '-wal', '-shm']) rmSync(`${files.work}${rest}`, { force: true })
  const proven = await copyAndProve(copy, files.work, scratch)
  if (E.isLeft(proven)) return proven
  const { last, ...copied } = proven.right
  const isSound = copied.problems.length === 0 && copied.models.every(({ differing }) => differing === 0)
  if (!isSound) return E.right({ ...copied, companion: 'none' })
  const companion = await finish({
    from,
    to,
    files,
    keys,
    end: { events: copied.events, hash: last?.metadata.hash ?? '' },
    isStillEnd: () => endsAt(from, last?.position ?? 0n),
  })
  return E.isLeft(companion) ? E.left(finishError(companion.left)) : E.right({ ...copied, companion: companion.right })
}

/** Tries the keys before a long copy, where they change their place between files and a database. */
const tryKeys = async ({ from, to, keys }: Copy): Promise<E.Either<CommandError, void>> => {
  const [source, target] = [keeperOf(from, keys), keeperOf(to, keys)]
  const isMoved = [source, target].some((keeper) => keeper?._tag === 'database')
  if (source === null || target === null || !isMoved || sharesVault(source, target)) return E.right(undefined)
  const tried = await checkKeys(source, target, keys.masterKey)
  return E.isLeft(tried) ? E.left(keyError(tried.left)) : E.right(undefined)
}

/** No service starts on a database from the first event of a copy until what belongs to the log is there. */
const closedMeanwhile = ({ from, to }: Copy, log: CopyTarget): CopyTarget => {
  if (to._tag !== 'database' || isLogAlone(from, to)) return log
  let begun: Promise<void> | null = null
  return {
    ...log,
    write: async (events, held) => {
      begun ??= beginInDatabase(to.connectionString)
      await begun
      return log.write(events, held)
    },
  }
}

/** Whether a log ends at a position; false also where it cannot be read any more. */
const endsAt = (location: LogLocation, position: bigint): Promise<boolean> =>
  withClosers(async (closers) => {
    const source = await openSource(location, closers)
    if (E.isLeft(source)) return false
    for await (const _ of source.right.log.readAll(position)) return false
    return true
  })

type Proven = Omit<Copied, 'companion'> & { readonly last: RecordedEvent | null }

const copyAndProve = (copy: Copy, work: string, scratch: string): Promise<E.Either<CommandError, Proven>> =>
  withClosers(async (closers) => {
    const { from, to, screen } = copy
    const source = await openSource(from, closers)
    if (E.isLeft(source)) return source
    const tried = await tryKeys(copy)
    if (E.isLeft(tried)) return tried
    const target = await openTarget(to, work, closers)
    if (E.isLeft(target)) return target
    const reading = readAside({ to, work, scratch }, closers)
    const counted = await source.right.count()
    if (E.isLeft(counted)) return E.left(copyError(counted.left))

    const copying = progressOf(screen, 'copied', counted.right)
    const onProgress = (events: number): void => {
      copying.show(events)
      reading.grown()
    }
    const [log, writing] = [source.right.log, closedMeanwhile(copy, target.right.log)]
    const done = await copyLog({ source: log, target: writing, onProgress })()
    copying.end()
    if (E.isLeft(done)) return E.left(copyError(done.left))
    const finished = await target.right.finishRows()
    if (E.isLeft(finished))
      return E.left(copyError({ _tag: 'LogUnavailable', log: 'target', cause: finished.left.cause }))

    const { events, copied, hash } = done.right
    const proving = progressOf(screen, 'verified', events)
    const found = await reading.found({ events, hash }, proving.show)
    if (E.isLeft(found)) return found
    const { read, models } = found.right
    const compared = await proveCopy({
      source: log,
      target: writing,
      copied: done.right,
      read,
      onProgress: proving.show,
    })()
    proving.end()
    if (E.isLeft(compared)) return E.left(copyError(compared.left))
    const { streams, last, problems } = compared.right
    return E.right({ events, copied, streams, last, problems, models })
  })

const progressOf = (screen: Screen, model: string, all: number) => {
  const lines = progressLines(screen, () => performance.now())
  return { show: (done: number) => lines.show({ model, done, all, comparedRows: 0 }), end: lines.end }
}
