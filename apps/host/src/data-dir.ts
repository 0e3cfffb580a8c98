import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Where everything durable of one deployment lies. */
export type DataDir = {
  readonly events: string
  /** Only where the events lie on a server. */
  readonly readModels: string
  readonly vault: string
  readonly sandbox: string
  readonly masterKey: string
  readonly sandboxFacts: string
}

/** Where the files of a data directory lie, whether or not there is one. */
export const dataFiles = (path: string): DataDir => {
  const root = resolve(path)
  return {
    events: join(root, 'quittance.db'),
    readModels: join(root, 'read-models.db'),
    vault: join(root, 'vault.db'),
    sandbox: join(root, 'sandbox.db'),
    masterKey: join(root, 'master.key'),
    sandboxFacts: join(root, 'sandbox.json'),
  }
}

/** The directory's files; the directory is made where it is missing, for its owner alone. Throws what the system says. */
export const madeDataDir = (path: string): DataDir => {
  mkdirSync(resolve(path), { recursive: true, mode: 0o700 })
  return dataFiles(path)
}
