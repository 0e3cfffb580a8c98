import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { logSegments, openDatabase, type Segment, segmentFolder } from '@quittance/event-store/sqlite'
import * as E from 'fp-ts/lib/Either.js'
import { type DataDir, dataFiles } from '../data-dir.ts'
import { copySegments, sharedFolder } from './copy-segments.ts'
import { backedUp, digestOf, removeRests, sealFile, snapshot, syncPath, workingDirectory } from './files.ts'
import { type Manifest, writeManifest } from './manifest.ts'
import { type Proof, prove, type Unproven } from './prove.ts'

export type BackupFailure =
  | Unproven
  /** There is no vault, so nothing was ever served from the data directory. */
  | { readonly _tag: 'NothingToBackUp' }
  | { readonly _tag: 'BackupExists' }

export type Backup = Proof & { readonly manifest: Manifest }

/**
 * Copies a data directory, which may be served meanwhile, to a new directory, and proves the copy. The directory appears
 * whole, by a rename. Segments of the log are copied once, to a folder beside it. The master key stays out: it opens every key of the vault.
 */
export const makeBackup = async (
  from: DataDir,
  isLogOnServer: boolean,
  to: string,
  masterKey: Uint8Array,
  now: () => Date,
): Promise<E.Either<BackupFailure, Backup>> => {
  const target = resolve(to)
  if (!existsSync(from.vault) || !existsSync(isLogOnServer ? from.readModels : from.events))
    return E.left({ _tag: 'NothingToBackUp' })
  if (existsSync(target) && readdirSync(target).length > 0) return E.left({ _tag: 'BackupExists' })
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
  const partial = workingDirectory(dirname(target), '.quittance-backup')
  try {
    const made = await copyAndProve(from, isLogOnServer, partial, masterKey, now().toISOString())
    if (E.isLeft(made)) return made
    syncPath(partial)
    if (existsSync(target)) rmSync(target, { recursive: true })
    renameSync(partial, target)
    syncPath(dirname(target))
    return made
  } finally {
    rmSync(partial, { recursive: true, force: true })
  }
}

const segmentsIn = (log: string): ReadonlyArray<Segment> => {
  const database = openDatabase(log, { durability: 'full', readOnly: true })
  try {
    return logSegments(database)
  } finally {
    database.close()
  }
}

const copyAndProve = async (
  from: DataDir,
  isLogOnServer: boolean,
  directory: string,
  masterKey: Uint8Array,
  madeAt: string,
): Promise<E.Either<BackupFailure, Backup>> => {
  const to = dataFiles(directory)
  const kinds = backedUp.filter((kind) => kind !== (isLogOnServer ? 'events' : 'readModels') && existsSync(from[kind]))
  for (const kind of kinds) snapshot(from[kind], to[kind])
  const segments = isLogOnServer ? [] : segmentsIn(to.events)
  const shared = join('..', sharedFolder)
  const lacking = await copySegments(segments, segmentFolder(from.events), join(directory, shared))
  if (lacking !== null) return E.left({ _tag: 'LogAltered', problem: `the segment ${lacking} is missing or altered` })
  if (segments.length > 0) symlinkSync(shared, segmentFolder(to.events))
  const proof = await prove(to, !isLogOnServer, masterKey)
  if ('_tag' in proof) return E.left(proof)
  const files: Array<Manifest['files'][number]> = []
  for (const kind of kinds) {
    removeRests(to[kind])
    sealFile(to[kind])
    files.push({ kind, name: basename(to[kind]), sha256: await digestOf(to[kind]) })
  }
  const manifest: Manifest = {
    format: 1,
    madeAt,
    log: proof.log,
    files,
    segments: segments.length === 0 ? undefined : segments.map(({ name, sha256 }) => ({ name, sha256 })),
  }
  writeManifest(directory, manifest)
  return E.right({ ...proof, manifest })
}
