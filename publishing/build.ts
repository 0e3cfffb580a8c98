/**
 * `npm run build` writes every published package to `dist/packages/<name>`: JavaScript, declarations and maps as the
 * compiler emits them, the sources that the maps lead to, and a manifest whose exports lead to the built files.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { type Manifest, publishedManifest, publishedPackages, root, type Workspace } from './packages.ts'
import { actingModules } from './side-effects.ts'

const compiled = join(root, 'dist/compiled')
const staged = join(root, 'dist/packages')

/** The compiler leaves `.ts` in declarations and in `new URL('./thread.ts', import.meta.url)`. Columns stay. */
const withJsExtensions = (path: string, text: string): string =>
  path.endsWith('.d.ts')
    ? text.replace(/((?:from |import\()['"]\.[^'"]*)\.ts(?=['"])/g, '$1.js')
    : text.replace(/(new URL\('\.[^']*)\.ts(?=', import\.meta\.url\))/g, '$1.js')

/**
 * Packages for browsers choose fp-ts by condition: bundlers take its ES modules, of which they leave out what is unused.
 * Node takes CommonJS, since the ES modules import each other without extensions. Nothing follows on these lines.
 */
const withChosenFpTs = ({ imports }: Manifest, text: string): string =>
  imports === undefined ? text : text.replace(/ from 'fp-ts\/lib\//g, " from '#fp-ts/")

/** A map of the package leads from `dist` to `src`, both in the package. */
const withSourceInPackage = (path: string, text: string): string => {
  const source = join('src', path.replace(/(\.d\.ts|\.js)\.map$/, '.ts'))
  return JSON.stringify({ ...JSON.parse(text), sources: [relative(join('dist', dirname(path)), source)] })
}

const rewritten = (manifest: Manifest, path: string, text: string): string => {
  if (path.endsWith('.map')) return withSourceInPackage(path, text)
  return path.endsWith('.js') ? withChosenFpTs(manifest, withJsExtensions(path, text)) : withJsExtensions(path, text)
}

const stage = ({ folder, manifest }: Workspace): void => {
  const target = join(staged, basename(folder))
  const emitted = join(compiled, basename(folder), 'src')
  const paths = globSync('**/*.{js,d.ts,map}', { cwd: emitted })
  for (const path of paths) {
    const text = readFileSync(join(emitted, path), 'utf8')
    const file = join(target, 'dist', path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, rewritten(manifest, path, text))
  }
  for (const path of paths.filter((each) => each.endsWith('.js'))) {
    const source = path.replace(/\.js$/, '.ts')
    cpSync(join(root, folder, 'src', source), join(target, 'src', source))
  }
  const others = manifest.files?.filter((file) => file !== 'dist' && file !== 'src') ?? []
  for (const file of ['README.md', ...others]) copyFileSync(join(root, folder, file), join(target, file))
  copyFileSync(join(root, 'LICENSE'), join(target, 'LICENSE'))
  const published = publishedManifest(manifest)
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
  for (const { types, default: module } of Object.values(published.exports).filter((each) => typeof each !== 'string'))
    for (const path of [types, module])
      if (!existsSync(join(target, path))) throw new Error(`${manifest.name} exports ${path}, which was not built`)
  const acting = actingModules(join(target, 'dist'))
  if (acting.length > 0)
    throw new Error(`${manifest.name} states no side effects, but importing these acts: ${acting.join(', ')}`)
}

rmSync(join(root, 'dist'), { recursive: true, force: true })
const compiler = join(root, 'node_modules/typescript/bin/tsc')
execFileSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.build.json')], { stdio: 'inherit' })
for (const each of publishedPackages()) stage(each)
rmSync(compiled, { recursive: true })
