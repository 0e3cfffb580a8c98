import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import type { Plugin } from 'esbuild'
import {
  apps,
  bundleOf,
  bundlesIn,
  checkout,
  manifestIn,
  readManifest,
  stateOf,
} from '../apps/host/src/launch/bundle.ts'

const bundles = bundlesIn(checkout)
const manifest = manifestIn(checkout)

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

/** Sources find files beside them, also once they are bundled, and wherever the checkout has moved to. */
const places: Plugin = {
  name: 'places',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/(packages|apps|wallets)\/.*\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      if (!source.includes('import.meta.')) return null
      const file = relative(checkout, path)
      const contents = source
        .replaceAll('import.meta.dirname', `fromRoot.path(${JSON.stringify(dirname(file))})`)
        .replaceAll('import.meta.url', `fromRoot.url(${JSON.stringify(file)})`)
      return { contents, loader: 'ts' }
    })
  },
}

/**
 * These have modules beside their CommonJS, which packages ask for by the other name. Of CommonJS, a bundle makes a copy of all
 * names for each file that imports it: a tenth of the memory of a service that has just started.
 */
const modules: Plugin = {
  name: 'modules',
  setup: ({ onResolve }) => {
    const { resolve } = createRequire(import.meta.url)
    onResolve({ filter: /^fp-ts\/(lib|es6)\/\w+(\.js)?$/ }, ({ path }) => ({
      path: resolve(`${path.replace('/lib/', '/es6/').replace(/\.js$/, '')}.js`),
    }))
    onResolve({ filter: /^io-ts$/ }, () => ({ path: resolve('io-ts/es6/index.js') }))
  },
}

const scripts = 'apps/http/src/page/browser'
const scriptFiles = globSync(`${scripts}/**/*.{js,ts}`, { cwd: checkout })

/** The scripts of pages, so that no process takes types out of them at its start. */
const texts: Plugin = {
  name: 'texts',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/page\/script-text\.ts$/ }, async ({ path }) => {
      const { scriptText } = await import(path)
      const all = Object.fromEntries(scriptFiles.map((file) => [file, scriptText(join(checkout, file))]))
      return {
        contents: `const texts = ${JSON.stringify(all)}
export const scriptText = (file) => texts[file.slice(fromRoot.path('').length)]`,
      }
    })
  },
}

/** Packages that are not modules ask for others by `require`. */
const beforeEach = `import { createRequire as requireFrom } from 'node:module'
import { fileURLToPath as pathOfUrl } from 'node:url'
const require = requireFrom(import.meta.url)
const fromRoot = {
  url: (file) => new URL('../../../' + file, import.meta.url).href,
  path: (file) => pathOfUrl(fromRoot.url(file)),
}`

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
  const states = [...own, ...scriptFiles, 'package-lock.json', 'publishing/bundle.ts'].map(
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
  // A process that runs from the bundle before may still load parts of it.
  for (const each of readdirSync(bundles))
    if (/^[0-9a-f]{16}$/.test(each) && each !== before) rmSync(join(bundles, each), { recursive: true })
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
