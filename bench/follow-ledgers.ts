import { join } from 'node:path'
import { LedgerSequence } from '@quittance/domain'
import { openDatabase } from '@quittance/event-store/sqlite'
import { type Cursor, createIngestion, gatewayOver } from '@quittance/ledger'
import { inlineProjections, readModels, sqliteReading } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { firstSequence, passphrase } from './ledgers.ts'
import { inTemporaryFolder } from './temporary-folder.ts'

// Ingests all ledgers of the nodes: `node follow-ledgers.ts <watched accounts> <url>…`. Prints the measurements as
// JSON.
const [watchedText = '1', ...urls] = process.argv.slice(2)
const watchedCount = Number(watchedText)

/** An account that the recorded transactions pay; the others never appear. */
const paid = 'GCAQSQVXUJZPDND4EUWQYRCJ64IGQ3REQK2CVSXHUQQ26GCTEMIGJDSC'

const accountOf = (index: number): string =>
  `G${index
    .toString(32)
    .toUpperCase()
    .replace(/[0189]/g, 'Z')
    .padStart(54, 'A')}${index % 7}`

await inTemporaryFolder(async (folder) => {
  const database = openDatabase(join(folder, 'rows'), { durability: 'full' })
  for (const { create } of inlineProjections) create(database)
  const version = inlineProjections.find(({ name }) => name === 'watched_accounts')?.version
  const insert = database.prepare(
    `INSERT OR IGNORE INTO watched_accounts_${version} VALUES (?, 'mer_1', 'mainnet', NULL, NULL, ?, NULL, 0, ?)`,
  )
  const rest = { environment: 'mainnet', setUpThrough: 1, custody: 'service', opening: [] }
  database.execute('BEGIN')
  for (let index = 0; index < watchedCount; index += 1) {
    const account = index === 0 ? paid : accountOf(index)
    insert.run(`${index}`, account, JSON.stringify({ account, ...rest }))
  }
  database.execute('COMMIT')
  const { watchedAccounts } = readModels(sqliteReading(database))

  const gateway = gatewayOver({ urls, networkPassphrase: passphrase, timeoutMs: 60_000 }, () => undefined)
  const first = LedgerSequence.decode(firstSequence)
  if (E.isLeft(first)) throw new Error('invalid first ledger')
  const found = { ledgers: 0, credits: 0 }
  let cursor: Cursor | null = null
  const ingestion = createIngestion<never>({
    gateway,
    cursor: {
      load: () => TE.right(cursor),
      advance: (_, to) => {
        cursor = to
        return TE.right(true)
      },
    },
    watched: TE.right({ has: async (account) => (await watchedAccounts.withKey(account)).length > 0 }),
    onLedger: ({ incomingPayments }) => {
      found.ledgers += 1
      found.credits += incomingPayments.length
      return TE.right(undefined)
    },
    alarm: (halted) => {
      throw new Error(halted._tag)
    },
    batchSize: 10,
    firstLedger: first.right,
  })
  const startedAt = performance.now()
  const cpuBefore = process.cpuUsage()
  const ingested = await ingestion.step()
  if (E.isLeft(ingested)) throw new Error(JSON.stringify(ingested.left))
  const seconds = (performance.now() - startedAt) / 1_000
  const { user, system } = process.cpuUsage(cpuBefore)
  const cpuMs = (user + system) / 1_000 / found.ledgers
  const peakMb = Math.round(process.resourceUsage().maxRSS / 1_024)
  process.stdout.write(JSON.stringify({ ...found, perSecond: found.ledgers / seconds, cpuMs, peakMb }))
  database.close()
})
