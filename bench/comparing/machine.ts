import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { newestBinaries } from '@quittance/event-store/postgres/testing/cluster'
import { openDatabase } from '@quittance/event-store/sqlite'

/** What the figures of this machine depend on. */
export const machine = () => {
  const sql = openDatabase(':memory:', { durability: 'full' })
  const sqlite = String(sql.prepare('SELECT sqlite_version() AS version').get()?.version)
  sql.close()
  return {
    cores: cpus().length,
    processor: cpus()[0]?.model ?? 'unknown',
    node: process.version,
    sqlite,
    postgresql: postgresql(),
  }
}

const postgresql = (): string => {
  try {
    const said = execFileSync(join(newestBinaries(), 'postgres'), ['--version'], { encoding: 'utf8' })
    return /\d+\.\d+/.exec(said)?.[0] ?? 'unknown'
  } catch {
    return 'none'
  }
}

/** The installed version of a package. */
export const versionOf = (name: string): string => {
  const file = findPackageJSON(name, import.meta.url)
  if (file === undefined) throw new Error(`${name} is not installed`)
  return String(JSON.parse(readFileSync(file, 'utf8')).version)
}
