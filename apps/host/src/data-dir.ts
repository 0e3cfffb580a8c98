import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The paths of all durable files of a deployment. */
export type DataDir = {
  readonly events: string
  /** Only with a remote log. */
  readonly readModels: string
  readonly vault: string
  readonly sandbox: string
  readonly masterKey: string
  readonly sandboxFacts: string
  /** The newest event of the log, as it is noted beside it. */
  readonly logMark: string
  /** Every checkpoint of the log that was signed. No backup holds it, and no restore replaces it. */
  readonly checkpoints: string
  /** The ids of erased customers. No backup holds it, and no restore replaces it. */
  readonly erased: string
  /** Exists while a restore replaces files: it names the backup. */
  readonly restoring: string
}

/** Another process has a data directory open that must be had alone. */
export class DataDirInUse extends Error {
  override readonly name = 'DataDirInUse'
}

/** The paths in a data directory, which need not exist. */
export const dataFiles = (path: string): DataDir => {
  const root = resolve(path)
  return {
    events: join(root, 'quittance.db'),
    readModels: join(root, 'read-models.db'),
    vault: join(root, 'vault.db'),
    sandbox: join(root, 'sandbox.db'),
    masterKey: join(root, 'master.key'),
    sandboxFacts: join(root, 'sandbox.json'),
    logMark: join(root, 'log-mark.json'),
    checkpoints: join(root, 'checkpoints.jsonl'),
    erased: join(root, 'erased.txt'),
    restoring: join(root, 'restoring'),
  }
}

/** The paths in a data directory, which is made, for its owner alone, if it is missing. Throws file system errors. */
export const madeDataDir = (path: string): DataDir => {
  mkdirSync(resolve(path), { recursive: true, mode: 0o700 })
  return dataFiles(path)
}
