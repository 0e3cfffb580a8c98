import { copyFileSync, existsSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { erasedSubjectsFile, readMarkFile, sqliteMark, sqliteVault, writeMarkFile } from '@quittance/billing'
import { isStoreFailure, openDatabase, segmentFolder } from '@quittance/event-store/sqlite'
import * as E from 'fp-ts/lib/Either.js'
import { type DataDir, dataFiles, madeDataDir } from '../data-dir.ts'
import { isAlone } from '../moving/alone.ts'
import { copySegments, sharedFolder } from './copy-segments.ts'
import {
  type BackedUp,
  backedUp,
  codeOf,
  digestOf,
  removeRests,
  sealFile,
  syncPath,
  workingDirectory,
} from './files.ts'
import { type Manifest, readManifest } from './manifest.ts'
import { type Proof, prove, type Unproven } from './prove.ts'

export type RestoreFailure =
  | Unproven
  | { readonly _tag: 'NoBackup' }
  | { readonly _tag: 'FileDamaged'; readonly name: string }
  /** Another process has a file of the data directory open. */
  | { readonly _tag: 'DataDirInUse'; readonly name: string }
  | { readonly _tag: 'DataDirNotEmpty'; readonly name: string }

export type Restored = Proof & {
  readonly manifest: Manifest
  /** The names under which replaced files are kept. */
  readonly replaced: ReadonlyArray<string>
}

/**
 * Puts a backup into a data directory that no process has open. Proves it first, and keeps what it replaces under other
 * names. A sandbox's ledger that is there stays, since no network goes back. A newer mark of the log stays too, so that
 * the service notices what it has lost. While files are replaced, a note keeps services from starting; if this process is
 * killed then, the note stays until a restore is run again.
 */
export const restoreBackup = async (
  backup: string,
  dataDir: string,
  masterKey: Uint8Array,
  isForced: boolean,
): Promise<E.Either<RestoreFailure, Restored>> => {
  const manifest = readManifest(backup)
  if (manifest === null) return E.left({ _tag: 'NoBackup' })
  const target = dataFiles(dataDir)
  const present = backedUp.filter((kind) => existsSync(target[kind]))
  const heldNow = (): E.Either<RestoreFailure, void> => {
    const held = present.find((kind) => !isFree(target[kind]))
    return held === undefined ? E.right(undefined) : E.left({ _tag: 'DataDirInUse', name: basename(target[held]) })
  }
  const free = heldNow()
  if (E.isLeft(free)) return free
  const [first] = present
  if (first !== undefined && !isForced && !existsSync(target.restoring))
    return E.left({ _tag: 'DataDirNotEmpty', name: basename(target[first]) })
  madeDataDir(dataDir)
  const root = resolve(dataDir)
  const staging = workingDirectory(root, 'restore')
  try {
    const from = dataFiles(staging)
    const staged = await stage(resolve(backup), manifest, from, target, masterKey)
    if (E.isLeft(staged)) return staged
    await keepNewerMark(target)
    writeFileSync(from.restoring, resolve(backup), { mode: 0o600 })
    sealFile(from.restoring)
    renameSync(from.restoring, target.restoring)
    syncPath(root)
    // A service may have started meanwhile; none starts from here on.
    const stillFree = heldNow()
    const replaced = E.isLeft(stillFree) ? [] : putInPlace(manifest, from, target)
    syncPath(root)
    rmSync(target.restoring)
    syncPath(root)
    return E.isLeft(stillFree) ? stillFree : E.right({ ...staged.right, manifest, replaced })
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

/** A file that is no database any more is nobody's. */
const isFree = (path: string): boolean => {
  try {
    const database = openDatabase(path, { durability: 'full' })
    try {
      return isAlone(database)
    } finally {
      database.close()
    }
  } catch (cause) {
    if (!isStoreFailure(cause)) throw cause
    return !/BUSY|LOCKED/.test(codeOf(cause))
  }
}

const stage = async (
  backup: string,
  { files, log, segments = [] }: Manifest,
  to: DataDir,
  target: DataDir,
  masterKey: Uint8Array,
): Promise<E.Either<RestoreFailure, Proof>> => {
  for (const { kind, name, sha256 } of files) {
    const from = join(backup, basename(name))
    if (!existsSync(from) || (await digestOf(from)) !== sha256) return E.left({ _tag: 'FileDamaged', name })
    copyFileSync(from, to[kind])
  }
  // Segments never change, so they may be put in place before the rest: no log names them until then.
  const segmentsTo = segmentFolder(target.events)
  const named = segments.map(({ name, sha256 }) => ({ name: basename(name), sha256 }))
  const lacking = await copySegments(named, savedSegments(backup), segmentsTo)
  if (lacking !== null) return E.left({ _tag: 'FileDamaged', name: lacking })
  if (segments.length > 0) symlinkSync(segmentsTo, segmentFolder(to.events))
  const proof = await prove(to, log !== null, masterKey)
  if ('_tag' in proof) return E.left(proof)
  eraseListed(to.vault, target.erased, masterKey)
  for (const { kind } of files) {
    removeRests(to[kind])
    sealFile(to[kind])
  }
  return E.right(proof)
}

/** Destroys the keys of customers who were erased since the backup. */
const eraseListed = (vault: string, erased: string, masterKey: Uint8Array): void => {
  const database = openDatabase(vault, { durability: 'full', secureDelete: true })
  try {
    sqliteVault(database, masterKey, false, erasedSubjectsFile(erased))
  } finally {
    database.close()
  }
}

/** A backup that was moved without its neighbors may have a folder of its own in the place of the link. */
const savedSegments = (backup: string): string => {
  const linked = segmentFolder(dataFiles(backup).events)
  return existsSync(linked) ? linked : join(backup, '..', sharedFolder)
}

/** The vault that is replaced may have a newer mark than the file beside the log, which stays. */
const keepNewerMark = async ({ vault, logMark }: DataDir): Promise<void> => {
  const inVault = await markIn(vault)
  const inFile = readMarkFile(logMark)
  if (inVault !== null && inVault.at > (inFile?.at ?? 0)) writeMarkFile(logMark, inVault)
}

const markIn = async (vault: string): Promise<ReturnType<typeof readMarkFile>> => {
  if (!existsSync(vault)) return null
  try {
    const database = openDatabase(vault, { durability: 'full', secureDelete: true })
    try {
      return await sqliteMark(database).kept()
    } finally {
      database.close()
    }
  } catch (cause) {
    if (!isStoreFailure(cause)) throw cause
    return null
  }
}

const putInPlace = ({ files }: Manifest, from: DataDir, target: DataDir): ReadonlyArray<string> => {
  const kinds: ReadonlyArray<BackedUp> = backedUp.filter((kind) => kind !== 'sandbox' || !existsSync(target.sandbox))
  const suffix = freeSuffix(kinds.map((kind) => target[kind]))
  const replaced: Array<string> = []
  for (const kind of kinds) {
    if (!existsSync(target[kind])) continue
    for (const rest of ['', '-wal', '-shm'])
      if (existsSync(`${target[kind]}${rest}`)) renameSync(`${target[kind]}${rest}`, `${target[kind]}${suffix}${rest}`)
    replaced.push(`${basename(target[kind])}${suffix}`)
  }
  for (const kind of kinds) if (files.some((file) => file.kind === kind)) renameSync(from[kind], target[kind])
  return replaced
}

const freeSuffix = (paths: ReadonlyArray<string>): string => {
  for (let number = 1; ; number++) {
    const suffix = `.replaced-${number}`
    if (!paths.some((path) => existsSync(`${path}${suffix}`))) return suffix
  }
}
