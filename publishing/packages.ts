import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export const root = dirname(import.meta.dirname)

export type Manifest = {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly private?: boolean
  readonly type?: string
  readonly repository?: { readonly type: string; readonly url: string; readonly directory?: string }
  readonly sideEffects?: boolean
  readonly engines?: { readonly node: string }
  readonly files?: ReadonlyArray<string>
  readonly publishConfig?: { readonly access: string }
  readonly exports: Readonly<Record<string, string>>
  readonly imports?: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** `folder` is relative to the root, such as `packages/domain`. */
export type Workspace = { readonly folder: string; readonly manifest: Manifest }

export const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))

export const workspaces = (): ReadonlyArray<Workspace> =>
  globSync('{packages,apps}/*/package.json', { cwd: root })
    .sort()
    .map((path) => ({ folder: dirname(path), manifest: readManifest(dirname(path)) }))

/** The packages for others to install: those that say how they are published. */
export const publishedPackages = (): ReadonlyArray<Workspace> =>
  workspaces().filter(({ manifest }) => manifest.publishConfig !== undefined)

/** Subpaths below a `testing/` serve the tests of this repository. `./testing` itself is exported on purpose. */
const isForOthers = (subpath: string): boolean => !subpath.includes('/testing/')

/** What others can import, such as `@quittance/event-store/sqlite`, and the source that it leads to, below the root. */
export type EntryPoint = { readonly name: string; readonly source: string }

export const entryPoints = (): ReadonlyArray<EntryPoint> =>
  publishedPackages().flatMap(({ folder, manifest }) =>
    Object.entries(manifest.exports)
      .filter(([subpath]) => isForOthers(subpath))
      .map(([subpath, source]) => ({ name: join(manifest.name, subpath), source: join(folder, source) })),
  )

const built = (source: string, extension: string): string =>
  source.replace('./src/', './dist/').replace(/\.ts$/, extension)

/** The manifest of the built package: exports lead to what was built, and nothing is left that serves development. */
export const publishedManifest = ({ private: _, devDependencies: __, exports, ...manifest }: Manifest) => ({
  ...manifest,
  exports: {
    ...Object.fromEntries(
      Object.entries(exports)
        .filter(([subpath]) => isForOthers(subpath))
        .map(([subpath, source]) => [subpath, { types: built(source, '.d.ts'), default: built(source, '.js') }]),
    ),
    './package.json': './package.json',
  },
})
