import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The programs that are bundled: the service, the worker and the command line. */
export const apps = ['http', 'worker', 'cli'] as const
export type App = (typeof apps)[number]

export const root = join(import.meta.dirname, '../../../..')
export const bundles = join(root, 'dist/apps')
export const manifestFile = join(bundles, 'manifest.json')

export type FileState = readonly [writtenAt: number, size: number]

/** The folder of the newest bundle, and each file that it is made of with its state at that time. */
export type Manifest = { readonly folder: string; readonly sources: Readonly<Record<string, FileState>> }

/** When the file was written, in seconds, since layers of images keep no parts of them; and its size in bytes. */
export const stateOf = (source: string): FileState | null => {
  const found = statSync(join(root, source), { throwIfNoEntry: false })
  return found === undefined ? null : [Math.floor(found.mtimeMs / 1000), found.size]
}

export const readManifest = (): Manifest | null => {
  try {
    return JSON.parse(readFileSync(manifestFile, 'utf8'))
  } catch {
    return null
  }
}

/** The bundle of a program; null where there is none of the sources as they are now. */
export const bundleOf = (app: App): string | null => {
  const manifest = readManifest()
  if (manifest === null) return null
  const isCurrent = Object.entries(manifest.sources).every(([source, [writtenAt, size]]) => {
    const state = stateOf(source)
    return state !== null && state[0] === writtenAt && state[1] === size
  })
  return isCurrent ? join(bundles, manifest.folder, `${app}.js`) : null
}
