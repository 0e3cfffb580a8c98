import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@quittance/client'
import { openDatabase } from '@quittance/event-store/sqlite'
import { dataFiles } from '@quittance/host'
import { openService } from '@quittance/http/testing/service'
import { forge, forgeCopy, rewriteLog } from '../testing/forged-log.ts'
import { processMs, runInside } from '../testing/run-cli.ts'

const guide = readFileSync(new URL('../../../../docs/verifying.md', import.meta.url), 'utf8')

/** A data directory that somebody writes to, and a checkpoint that was kept elsewhere. */
type Place = { readonly path: string; readonly older: string; readonly checkpoint: string }

type Tampering = {
  /** As the guide calls it. */
  readonly name: string
  readonly tamper: (place: Place) => unknown
  readonly command: (place: Place) => ReadonlyArray<string>
  readonly found: RegExp
}

const alter = (path: string, sql: string): void => {
  const database = openDatabase(path, { durability: 'full' })
  database.execute(sql)
  database.close()
}
const inLog = (sql: string) => (place: Place) => alter(dataFiles(place.path).events, sql)
const inVault = (sql: string) => (place: Place) => alter(join(place.path, 'vault.db'), sql)
const ofFiles = () => ['verify']
const withKept = ({ checkpoint }: Place) => ['verify', '--against', checkpoint]
const aKey = "(SELECT min(name) FROM vault WHERE name LIKE 'subject/%')"
const streamOf = (path: string, type: string): string => {
  const database = openDatabase(dataFiles(path).events, { durability: 'full', readOnly: true })
  const row = database.prepare('SELECT stream FROM events WHERE type = ? LIMIT 1').get(type)
  database.close()
  return String(row?.stream)
}

const tamperings: ReadonlyArray<Tampering> = [
  {
    name: 'the newest ten events are cut, and the positions lowered',
    tamper: inLog(`UPDATE inline_projections SET position = (SELECT max(position) FROM events) - 10;
      DELETE FROM events WHERE position > (SELECT max(position) FROM events) - 10`),
    command: withKept,
    found:
      /^its end is missing: a checkpoint of \d+ events was signed, and the log has \d+: the end was cut off, or this is an older copy$/m,
  },
  {
    name: 'an older copy of the file is put back',
    tamper: ({ path, older }) => {
      for (const end of ['-wal', '-shm']) rmSync(`${dataFiles(path).events}${end}`, { force: true })
      cpSync(dataFiles(older).events, dataFiles(path).events)
    },
    command: withKept,
    found:
      /^its end is missing: a checkpoint of \d+ events was signed, and the log has \d+: the end was cut off, or this is an older copy$/m,
  },
  {
    name: 'an event is exchanged, and all hashes computed again',
    tamper: ({ path }) => rewriteLog(dataFiles(path).events, 'MerchantCreated', 'Grace', 'Eve'),
    command: withKept,
    found: /^merchant-mer_\w+ @ 0: this event is not the one that was signed in the checkpoint of \d+ events$/m,
  },
  {
    name: 'an actor is changed, and all hashes computed again',
    tamper: ({ path }) => rewriteLog(dataFiles(path).events, 'PaymentConfirmed', /"actor":"[^"]*"/, '"actor":"Eve"'),
    command: withKept,
    found: /^payment-pay_\w+ @ 3: this event is not the one that was signed in the checkpoint of \d+ events$/m,
  },
  {
    name: 'a recorded time is changed',
    tamper: inLog("UPDATE events SET recorded_at = recorded_at + 1 WHERE type = 'PaymentOpened'"),
    command: withKept,
    found: /^payment-pay_\w+ @ 0: this recorded time is not the one that was signed in the checkpoint of \d+ events$/m,
  },
  {
    name: 'an event that no command records is added, with right hashes',
    tamper: ({ path }) =>
      forge(dataFiles(path).events, streamOf(path, 'CustomerCreated'), {
        type: 'CustomerCreated',
        data: { profile: null, emailHash: null, phoneHash: null },
      }),
    command: ofFiles,
    found: /^customer-cus_\w+ @ \d+: CustomerCreated: no command could have recorded this here$/m,
  },
  {
    name: 'a key is removed from the vault',
    tamper: inVault(`DELETE FROM vault WHERE name = ${aKey}`),
    command: ofFiles,
    found: /^customer-cus_\w+ @ 0: the vault has no key for the personal data of cus_\w+, and records no erasure$/m,
  },
  {
    name: 'two keys in the vault change places',
    tamper:
      inVault(`CREATE TEMP TABLE two AS SELECT name, wrapped FROM vault WHERE name LIKE 'subject/cus_%' ORDER BY name LIMIT 2;
      UPDATE vault SET wrapped = (SELECT wrapped FROM two WHERE two.name <> vault.name) WHERE name IN (SELECT name FROM two)`),
    command: ofFiles,
    found: /^vault: subject\/cus_\w+ does not open: it was altered, or moved there from another name$/m,
  },
  {
    name: 'a key in the vault is garbled',
    tamper: inVault(`UPDATE vault SET wrapped = randomblob(length(wrapped)) WHERE name = ${aKey}`),
    command: ofFiles,
    found: /^vault: subject\/cus_\w+ does not open: it was altered, or moved there from another name$/m,
  },
  {
    name: 'signing records are removed',
    tamper: inVault('DELETE FROM signing_records WHERE link IN (2, 3)'),
    command: ofFiles,
    found: /^vault: the signing records 2 to 3 are missing$/m,
  },
  {
    name: 'a payment is forged in log and rows',
    tamper: async ({ path }) => {
      forgeCopy(dataFiles(path).events, streamOf(path, 'PaymentConfirmed'), 'payment-pay_0000000000000000000001')
      await runInside({ QUITTANCE_DATA_DIR: path }, 'rebuild')
    },
    command: () => ['reconcile'],
    found: /^an earlier event has recorded this incoming payment: pay_0000000000000000000001 /m,
  },
]

describe('each tampering', () => {
  let folder: string
  let place: Place
  const run = (path: string, ...words: ReadonlyArray<string>) => runInside({ QUITTANCE_DATA_DIR: path }, ...words)

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quittance-tampering-'))
    const [path, older, checkpoint] = ['data', 'older', 'kept.txt'].map((name) => join(folder, name))
    if (path === undefined || older === undefined || checkpoint === undefined) throw new Error('there are three')
    place = { path, older, checkpoint }
    const service = await openService(path)
    const client = createClient({ baseUrl: service.url, apiKey: service.facts.api_key })
    const book = { name: 'A book', type: 'one_time' as const, currency_code: 'EUR', price_amount: 3 }
    const { id: product_id } = await client.products.create(book)
    for (const name of ['ada', 'grace']) {
      const { id } = await client.checkouts.createForProduct({ product_id, customer_email: `${name}@shop.example` })
      await client.sandbox.pay({ checkout_id: id })
    }
    await service.close()
    cpSync(path, older, { recursive: true })
    for (const name of ['Grace', 'Joan', 'Mary', 'Edith', 'Hedy', 'Karen', 'Radia'])
      await run(path, 'merchant', 'create', '--name', name)
    await run(path, 'checkpoint', '--out', checkpoint)
  }, processMs)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it.each([['verify'], ['verify', '--against'], ['reconcile']])('is absent before: %j', async (...words) => {
    const [command = '', ...options] = words
    const kept = options.flatMap((option) => [option, place.checkpoint])
    const { status, stdout } = await run(place.path, command, ...kept)
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/^ok: /) })
  })

  it.each(tamperings)('is named, and the guide says so: $name', async ({ name, tamper, command, found }) => {
    const path = mkdtempSync(join(folder, 'tampered-'))
    cpSync(place.path, path, { recursive: true })
    await tamper({ ...place, path })
    const { status, stdout, stderr } = await run(path, ...command({ ...place, path }))
    expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: expect.stringMatching(found), stderr: '' })
    expect(guide.includes(`| ${name} |`)).toBe(true)
  })
})
