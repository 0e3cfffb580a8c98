import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../../../..')
const here = join(root, 'apps/dashboard')
const sources = ['apps/dashboard', 'packages/client/src', 'packages/domain/src/shared'].map((each) => join(root, each))

const isSource = (file: string): boolean => !/\.test\.ts$|(^|\/)(dist|node_modules)\//.test(file)

/** What a build is made of, as a name: a changed source gives another one. */
const buildName = (): string => {
  const hash = createHash('sha256')
  for (const folder of sources) {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => isSource(relative(folder, file)))
    for (const file of files.toSorted()) hash.update(`${relative(root, file)}\0`).update(readFileSync(file))
  }
  return hash.digest('hex').slice(0, 16)
}

const pathOfVite = (): string | null => {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js')
  } catch {
    return null
  }
}

/**
 * The folder of the built pages. Builds them where their sources have changed since; null where what builds them is not
 * installed. Processes that build at the same time do not disturb each other.
 */
export const builtDashboard = async (): Promise<string | null> => {
  const folder = join(here, 'dist', buildName())
  if (existsSync(folder)) return folder
  const vite = pathOfVite()
  if (vite === null) return null
  const building = `${folder}.${process.pid}`
  await promisify(execFile)(process.execPath, [vite, 'build', here, '--outDir', building, '--logLevel', 'warn'])
  try {
    renameSync(building, folder)
  } catch (error) {
    // Another process was faster.
    rmSync(building, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}
