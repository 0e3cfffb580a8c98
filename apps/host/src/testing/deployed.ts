import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { PathReporter } from 'io-ts/lib/PathReporter.js'
import { parseAllDocuments } from 'yaml'
import { type Config, configFrom } from '../config.ts'
import type { ConfigProblem } from '../settings.ts'

const root = new URL('../../../../', import.meta.url)

export const deployedText = (path: string): string => readFileSync(new URL(path, root), 'utf8')

/** Every document of a YAML file of the repository, without its aliases and merges. Throws where a document is invalid. */
export const documentsIn = (path: string): ReadonlyArray<unknown> =>
  parseAllDocuments(deployedText(path), { merge: true, strict: true }).map((document) => {
    const [problem] = [...document.errors, ...document.warnings]
    if (problem !== undefined) throw problem
    return document.toJS()
  })

export const decoded = <A>(codec: t.Decoder<unknown, A>, found: unknown): A => {
  const read = codec.decode(found)
  if (E.isLeft(read)) throw new Error(PathReporter.report(read).join('; '))
  return read.right
}

const secrets: Readonly<Record<string, string>> = {
  database_url: 'postgres://quittance@db.example.com/quittance',
  master_key: 'ab'.repeat(32),
  mainnet_rpc_urls: 'https://one.example/rpc,https://two.example/rpc',
}

/** What the service makes of the variables of a container, whose secrets are in files. */
export const configOf = (
  variables: Readonly<Record<string, string>>,
): E.Either<ReadonlyArray<ConfigProblem>, Config> => {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-secrets-'))
  try {
    const mounted = ([name, value]: [string, string]): [string, string] => {
      if (!name.endsWith('_FILE')) return [name, value]
      const path = join(folder, basename(value))
      writeFileSync(path, secrets[basename(value)] ?? '')
      return [name, path]
    }
    return configFrom(Object.fromEntries(Object.entries(variables).map(mounted)))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
