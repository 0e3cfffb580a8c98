import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { openDatabase } from '@quittance/event-store/sqlite'
import { xdr } from '@stellar/stellar-sdk'
import { headerIn } from './ledger/close-meta.ts'
import { hexOf, sha256 } from './network.ts'
import { openSandbox } from './sandbox.ts'
import type { Sandbox } from './sandbox-api.ts'
import { storeIn } from './store/index.ts'
import { testPassphrase, trustline, usdc } from './testing/fixture.ts'
import { payee } from './testing/mandates.ts'

const payer = fileURLToPath(new URL('./testing/killed-sandbox.ts', import.meta.url))
const charger = fileURLToPath(new URL('./testing/killed-mandates.ts', import.meta.url))

/**
 * Runs a child process on a file, kills it at a random moment after so many lines, and answers all lines it printed.
 */
const runAndKill = async (child: string, file: string, afterLines: number): Promise<ReadonlyArray<string>> => {
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

/** Reopens a killed process's database and checks every header and the state they commit to. */
const onReopened = (file: string, closed: ReadonlyArray<string>, look: (sandbox: Sandbox) => void): void => {
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
    expect(ledgers.map(({ sequence, hash }) => `${sequence} ${hash}`)).toEqual(expect.arrayContaining([...closed]))
    look(sandbox)
  } finally {
    database.close()
  }
}

/** The hashes of the transactions that charged a mandate. */
const charges = (sandbox: Sandbox): ReadonlyArray<string> =>
  sandbox.read
    .eventsBehind({ ledger: 0, order: 0, index: 0 }, sandbox.clock().ledger, 10_000)
    .flatMap(({ hash, event }) => {
      const [name] = xdr.ContractEvent.fromXdr(event).body.v0.topics
      return name?.type === 'scvSymbol' && name.sym.toString() === 'charged' ? [hash] : []
    })

describe('a sandbox killed at any moment', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sandbox-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it.each(Array.from({ length: 12 }, (_, index) => 1 + index * 7))(
    'reopens consistently and keeps all it confirmed: after %d lines',
    async (afterLines) => {
      const file = join(folder, 'ledger.db')
      const { pending, closed } = factsOf(await runAndKill(payer, file, afterLines))
      onReopened(file, closed, (sandbox) => {
        sandbox.close()
        expect(pending.filter((hash) => sandbox.read.findTransaction(hash)?.succeeded !== true)).toEqual([])
      })
    },
  )

  it.each([2, 5, 8, 11])('collects each confirmed charge exactly once: after %d lines', async (afterLines) => {
    const file = join(folder, `mandates-${afterLines}.db`)
    const { pending, closed } = factsOf(await runAndKill(charger, file, afterLines))
    onReopened(file, closed, (sandbox) => {
      const early = charges(sandbox).length
      sandbox.close()
      const all = charges(sandbox)
      expect(all.length - early).toBeLessThanOrEqual(1)
      expect(trustline(sandbox, payee, usdc).balance).toBe(BigInt(all.length))
      expect(all).toEqual(expect.arrayContaining([...pending]))
      expect(new Set(all).size).toBe(all.length)
    })
  })
})
