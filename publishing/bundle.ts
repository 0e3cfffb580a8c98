import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  apps,
  bundleOf,
  bundlesIn,
  checkout,
  manifestIn,
  readManifest,
  stateOf,
} from '../apps/host/src/launch/bundle.ts'
import { modules, places, scriptFiles, texts } from './bundle-plugins.ts'

const bundles = bundlesIn(checkout)
const manifest = manifestIn(checkout)
const ownFiles = ['publishing/bundle.ts', 'publishing/bundle-plugins.ts']

/** These hold machine code, read files beside their own, or hook into others at run time, so they stay packages. */
const packages = [
  'better-sqlite3',
  'pg',
  '@eventstore/db-client',
  '@node-rs/argon2',
  '@opentelemetry/*',
  'pdfkit',
  'fontkit',
]

/** Packages that are not modules ask for others by `require`. */
const beforeEach = `import { createRequire as requireFrom } from 'node:module'
import { fileURLToPath as pathOfUrl } from 'node:url'
const require = requireFrom(import.meta.url)
const fromRoot = {
  url: (file) => new URL('../../../' + file, import.meta.url).href,
  path: (file) => pathOfUrl(fromRoot.url(file)),
}`

/** Whether it is the folder of a process that is gone. */
const isLeft = (name: string): boolean => {
  const pid = /^[0-9a-f]{16}\.(\d+)$/.exec(name)?.[1]
  return pid !== undefined && Number(pid) !== process.pid && !isAlive(Number(pid))
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (cause) {
    return cause instanceof Error && 'code' in cause && cause.code === 'EPERM'
  }
}

const bundle = async ({ build }: typeof import('esbuild')): Promise<void> => {
  const startedAt = Math.floor(Date.now() / 1000)
  const { metafile, outputFiles } = await build({
    absWorkingDir: checkout,
    entryPoints: Object.fromEntries(apps.map((app) => [app, `apps/${app}/src/program.ts`])),
    outdir: bundles,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    external: packages,
    banner: { js: beforeEach },
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    write: false,
    plugins: [texts, modules, places],
  })
  const own = Object.keys(metafile.inputs).filter((file) => !file.includes('node_modules/'))
  const states = [...own, ...scriptFiles, 'package-lock.json', ...ownFiles].map(
    (file) => [file, stateOf(join(checkout, file))] as const,
  )
  // What was written since this began may not be what was bundled.
  if (states.some(([, state]) => state === null || state[0] >= startedAt)) return
  const hash = createHash('sha256')
  for (const { path, contents } of outputFiles) hash.update(`${path}\0`).update(contents)
  const folder = hash.digest('hex').slice(0, 16)
  const building = join(bundles, `${folder}.${process.pid}`)
  mkdirSync(building, { recursive: true })
  for (const { path, contents } of outputFiles) writeFileSync(join(building, path.slice(bundles.length + 1)), contents)
  const before = readManifest(checkout)?.folder
  // A process that runs from the bundle before may still load parts of it. What was killed while it bundled leaves its folder.
  for (const each of readdirSync(bundles))
    if (/^[0-9a-f]{16}$/.test(each) ? each !== before : isLeft(each))
      rmSync(join(bundles, each), { recursive: true, force: true })
  if (existsSync(join(bundles, folder))) rmSync(building, { recursive: true })
  else renameSync(building, join(bundles, folder))
  writeFileSync(`${manifest}.${process.pid}`, JSON.stringify({ folder, sources: Object.fromEntries(states) }))
  renameSync(`${manifest}.${process.pid}`, manifest)
}

// Bundles the programs where their sources have changed since; without esbuild, they run from their sources.
if (bundleOf('http') === null) {
  const esbuild = await import('esbuild').catch(() => null)
  if (esbuild !== null) await bundle(esbuild)
}
