import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { publishedPackages, root } from '../packages.ts'
import { run } from './run.ts'

export const tarballName = (name: string, version: string): string =>
  `${name.replace('@', '').replace('/', '-')}-${version}.tgz`

/** A folder outside the repository with the built packages, packed in `tarballs`, and programs that have installed them. */
export const packedElsewhere = () => {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-packages-'))
  const tarballs = join(folder, 'tarballs')
  mkdirSync(tarballs)
  const staged = publishedPackages().map((each) => `./dist/packages/${basename(each.folder)}`)
  run(root, 'npm', 'pack', '--pack-destination', tarballs, ...staged)
  return {
    tarballs,
    /** A new folder that npm has installed these into. */
    installed: (name: string, ...specs: ReadonlyArray<string>): string => {
      const path = join(folder, name)
      mkdirSync(path)
      writeFileSync(join(path, 'package.json'), JSON.stringify({ private: true, allowScripts: { node: true } }))
      run(path, 'npm', 'install', '--no-audit', '--no-fund', ...specs)
      return path
    },
    packages: readdirSync(tarballs).map((each) => join(tarballs, each)),
    remove: () => rmSync(folder, { recursive: true }),
  }
}

/** A program of the repository as others have it: an ES module of JavaScript. */
export const asEsModule = (source: string): string => stripTypeScriptTypes(readFileSync(join(root, source), 'utf8'))

/** The same as CommonJS, which has `require` instead of imports and no `await` outside functions. */
export const asCommonJs = (source: string): string => {
  const required = asEsModule(source)
    .replace(/^import \* as (\w+) from ('[^']+')/gm, 'const $1 = require($2)')
    .replace(/^import (\{[^}]*\}) from ('[^']+')/gm, (_, names: string, from: string) => {
      return `const ${names.replaceAll(' as ', ': ')} = require(${from})`
    })
  return `(async () => {${required}})()`
}
