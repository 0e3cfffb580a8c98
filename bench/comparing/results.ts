import { readFileSync, writeFileSync } from 'node:fs'
import * as t from 'io-ts'

export const Machine = t.strict({
  cores: t.number,
  processor: t.string,
  node: t.string,
  sqlite: t.string,
  postgresql: t.string,
})

const Result = t.strict({
  name: t.string,
  /** The day, as YYYY-MM-DD. */
  takenOn: t.string,
  machine: Machine,
  /** By the name of the package. */
  versions: t.record(t.string, t.string),
  hasShortRounds: t.boolean,
  /** The figure of each counted round. */
  ours: t.array(t.number),
  /** Those of the rounds beside them. */
  peer: t.union([t.array(t.number), t.null]),
})

/** What was measured. */
export type Result = t.TypeOf<typeof Result>

const fileOf = (name: string): URL => new URL(`../results/${name}.json`, import.meta.url)

export const writeResult = (result: Result): void =>
  writeFileSync(fileOf(result.name), `${JSON.stringify(result, null, 2)}\n`)

/** The result that was written last. Throws if there is none. */
export const readResult = (name: string): Result => {
  const decoded = Result.decode(JSON.parse(readFileSync(fileOf(name), 'utf8')))
  if (decoded._tag === 'Left') throw new Error(`${fileOf(name).pathname} is no result`)
  return decoded.right
}
