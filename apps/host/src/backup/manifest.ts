import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { type BackedUp, sealFile } from './files.ts'

const FileKind: t.Type<BackedUp> = t.keyof({ events: null, readModels: null, sandbox: null, vault: null })

/** What a backup holds. `log`: its end; null if it is on a server, whose own backup holds it. */
export const Manifest = t.strict({
  format: t.literal(1),
  madeAt: t.string,
  log: t.union([t.strict({ position: t.number, digest: t.string }), t.null]),
  files: t.readonlyArray(t.strict({ kind: FileKind, name: t.string, sha256: t.string })),
  /** The segments of an archived log, which backups in one directory share. */
  segments: t.union([t.readonlyArray(t.strict({ name: t.string, sha256: t.string })), t.undefined]),
})
export type Manifest = t.TypeOf<typeof Manifest>

const manifestPath = (directory: string): string => join(directory, 'backup.json')

export const writeManifest = (directory: string, manifest: Manifest): void => {
  const path = manifestPath(directory)
  writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
  sealFile(path)
}

/** Null without a whole one: the directory is no backup. */
export const readManifest = (directory: string): Manifest | null => {
  try {
    const manifest = Manifest.decode(JSON.parse(readFileSync(manifestPath(directory), 'utf8')))
    return E.isLeft(manifest) ? null : manifest.right
  } catch {
    return null
  }
}
