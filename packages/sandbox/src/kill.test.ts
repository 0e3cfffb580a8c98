import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { openDatabase } from '@quittance/event-store/sqlite'
import { headerIn } from './ledger/close-meta.ts'
import { hexOf, sha256 } from './network.ts'
import { openSandbox } from './sandbox.ts'
import { storeIn } from './store/index.ts'
import { testPassphrase } from './testing/fixture.ts'

const child = fileURLToPath(new URL('./testing/killed-sandbox.ts', import.meta.url))

/** Runs the child on a file, kills it after so many lines and a random moment, and gives all lines it got out. */
const runAndKill = async (file: string, afterLines: number): Promise<ReadonlyArray<string>> => {
  const running = spawn(process.execPath, ['--no-warnings', child, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines: string[] = []
  const reader = createInterface({ input: running.stdout })
  const ended = new Promise<void>((resolve) => running.once('close', () => resolve()))
  for await (const line of reader) {
    lines.push(line)
    if (lines.length === afterLines) setTimeout(() => running.kill('SIGKILL'), Math.random() * 10)
  }
  await ended
  return lines
}

const factsOf = (lines: ReadonlyArray<string>) => {
  const words = lines.map((line) => line.split(' '))
  return {
    pending: words.flatMap(([kind, hash]) => (kind === 'pending' && hash !== undefined ? [hash] : [])),
    closed: words.flatMap(([kind, sequence, hash]) => (kind === 'closed' ? [`${sequence} ${hash}`] : [])),
  }
}

describe('a sandbox killed at any moment', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sandbox-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it.each(Array.from({ length: 12 }, (_, index) => 1 + index * 7))(
    'is whole when opened again, and has kept all it had confirmed: after %d lines',
    async (afterLines) => {
      const file = join(folder, 'ledger.db')
      const { pending, closed } = factsOf(await runAndKill(file, afterLines))
      const database = openDatabase(file, { durability: 'full' })
      try {
        const sandbox = openSandbox({ database, wallClock: Date.now, passphrase: testPassphrase })
        const ledgers = sandbox.read.ledgersFrom(1, 100_000)
        const headers = ledgers.map(({ meta }) => headerIn(meta))
        const hashes = headers.map(({ header }) => hexOf(sha256(header.toXdr())))
        expect(ledgers.map(({ hash }) => hash)).toEqual(hashes)
        expect(headers.map(({ header }) => header.previousLedgerHash.toString())).toEqual([
          '0'.repeat(64),
          ...hashes.slice(0, -1),
        ])
        const stateHash = headers.at(-1)?.header.bucketListHash.toString()
        expect(hexOf(storeIn(database).entries.recompute())).toBe(stateHash)
        expect(ledgers.map(({ sequence, hash }) => `${sequence} ${hash}`)).toEqual(expect.arrayContaining(closed))

        sandbox.close()
        expect(pending.filter((hash) => sandbox.read.findTransaction(hash)?.succeeded !== true)).toEqual([])
      } finally {
        database.close()
      }
    },
    60_000,
  )
})
