import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The programs that are bundled: the service, the worker and the command line. */
export const apps = ['http', 'worker', 'cli'] as const
export type App = (typeof apps)[number]

export const checkout = join(import.meta.dirname, '../../../..')
export const bundlesIn = (root: string): string => join(root, 'dist/apps')
export const manifestIn = (root: string): string => join(bundlesIn(root), 'manifest.json')

export type FileState = readonly [writtenAt: number, size: number]

/** The folder of the newest bundle, and each file that it is made of, with its state at that time. */
export type Manifest = { readonly folder: string; readonly sources: Readonly<Record<string, FileState>> }

/** When a file was written, in seconds, since layers of images keep no parts of them; and its size in bytes. */
export const stateOf = (file: string): FileState | null => {
  const found = statSync(file, { throwIfNoEntry: false })
  return found === undefined ? null : [Math.floor(found.mtimeMs / 1000), found.size]
}

export const readManifest = (root: string): Manifest | null => {
  try {
    return JSON.parse(readFileSync(manifestIn(root), 'utf8'))
  } catch {
    return null
  }
}

/** The file that starts a program from its bundle; null where there is none of the sources as they are now. */
export const bundleOf = (app: App, root = checkout): string | null => {
  const manifest = readManifest(root)
  if (manifest === null) return null
  const isCurrent = Object.entries(manifest.sources).every(([source, [writtenAt, size]]) => {
    const state = stateOf(join(root, source))
    return state !== null && state[0] === writtenAt && state[1] === size
  })
  return isCurrent ? join(bundlesIn(root), manifest.folder, `${app}.js`) : null
}
