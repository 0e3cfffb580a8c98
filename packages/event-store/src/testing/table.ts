import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** One adapter's results by title. */
export type Column = Readonly<Record<string, string>>

// Test files run in separate processes, so the table is shared through their parent process.
const folder = join(tmpdir(), `quittance-conformance-${process.ppid}`)

const columns = (): ReadonlyMap<string, Column> =>
  new Map(
    readdirSync(folder).map((file): readonly [string, Column] => [
      file.replace(/\.json$/, ''),
      JSON.parse(readFileSync(join(folder, file), 'utf8')),
    ]),
  )

/** Adds an adapter's column and prints the table so far. */
export const printTable = (adapter: string, column: Column): void => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${adapter}.json`), JSON.stringify(column))
  const all = columns()
  const titles = new Set([...all.values()].flatMap((each) => Object.keys(each)))
  const adapters = [...all.keys()].sort()
  const lines = [...titles].map(
    (title) => `| ${title} | ${adapters.map((name) => all.get(name)?.[title] ?? '').join(' | ')} |`,
  )
  const header = `| case | ${adapters.join(' | ')} |\n|---${'|---'.repeat(adapters.length)}|`
  process.stdout.write(`\nThe event store's conformance suite\n\n${header}\n${lines.join('\n')}\n\n`)
}
