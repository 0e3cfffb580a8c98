import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

export const conformanceFolder = join(import.meta.dirname, '../../../../../shared/conformance')

/**
 * Registers tests over the public conformance data that lies beside the checkout. Without the data one line says that
 * they are left out; on a build server (CI=true) that is an error.
 */
export const describeConformance = (title: string, tests: () => void): void => {
  if (existsSync(conformanceFolder)) describe(title, tests)
  else if (process.env.CI === 'true') throw new Error('the conformance data is missing')
  else process.stdout.write(`left out, as there is no conformance data: ${title}\n`)
}

export const conformanceJson = <T>(file: string): T => JSON.parse(readFileSync(join(conformanceFolder, file), 'utf8'))

export const conformanceLines = <T>(file: string): ReadonlyArray<T> =>
  gunzipSync(readFileSync(join(conformanceFolder, file)))
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

/** Files of a folder of the data, by the end of their names. */
export const conformanceFiles = (under: string, ending: string): ReadonlyArray<string> =>
  readdirSync(join(conformanceFolder, under))
    .filter((name) => name.endsWith(ending))
    .map((name) => join(under, name))
