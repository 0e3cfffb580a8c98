import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { masterKeyFile, sqliteVault } from '@quittance/billing'
import { openDatabase } from '@quittance/event-store/sqlite'
import { keyPairFromSeed, readStrkey } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { clientOf } from './testing/client.ts'
import { openSale } from './testing/sale.ts'
import { factsIn, temporaryDirectory } from './testing/service.ts'
import { outputName, withVerboseProcess } from './testing/verbose-process.ts'

describe('a service with the most verbose log', () => {
  let directory: ReturnType<typeof temporaryDirectory>
  beforeEach(() => {
    directory = temporaryDirectory()
  })
  afterEach(() => directory.remove())
  const fileNamed = (name: string): string => join(directory.path, name)

  it('the most verbose service writes no secret to its log, the event log or any other file, sealed or not', async () => {
    const mistaken = keyPairFromSeed(new Uint8Array(32).fill(9)).secret
    await withVerboseProcess(directory.path, async ({ base_url, api_key }) => {
      const [api, anyone] = [clientOf(base_url, api_key), clientOf(base_url, null)]
      const { id, quote } = await openSale({ api, anyone })
      expect(quote.sep7_uri).toContain('&signature=')
      // Somebody pastes a seed where an address belongs.
      const refused = await anyone(`/pay/${id}/transaction`, { body: { source_account: mistaken } })
      expect([refused.status, JSON.stringify(refused.body).includes(mistaken)]).toEqual([400, false])
    })

    const database = openDatabase(fileNamed('vault.db'), { durability: 'full', secureDelete: true })
    const masterKey = masterKeyFile(fileNamed('master.key'))
    if (E.isLeft(masterKey)) throw new Error(masterKey.left._tag)
    const vault = sqliteVault(database, masterKey.right, false)
    const seeds = await Promise.all(
      [`settlement/testnet/${factsIn(directory.path).merchant_id}`, 'payment-requests'].map((key) =>
        vault.carriage.withSeed(key, (seed) => Buffer.from(seed)),
      ),
    )
    database.close()
    const forms = (bytes: Uint8Array) => [
      Buffer.from(bytes),
      Buffer.from(bytes).toString('hex'),
      Buffer.from(bytes).toString('base64'),
    ]
    const secrets = [
      mistaken,
      ...forms(masterKey.right),
      ...seeds.flatMap((seed) => [...forms(seed), keyPairFromSeed(seed).secret]),
    ]
    const files = readdirSync(directory.path).filter((name) => name !== 'master.key')
    expect(files).toEqual(expect.arrayContaining([outputName, 'vault.db', 'sandbox.db']))
    for (const name of files) {
      const content = readFileSync(fileNamed(name))
      expect([name, secrets.filter((secret) => content.includes(secret)).length]).toEqual([name, 0])
      // Nor any other seed.
      const words = content.toString('latin1').match(/S[A-Z2-7]{55}/g) ?? []
      expect([name, words.filter(isSeed)]).toEqual([name, []])
    }
    expect(readFileSync(fileNamed(outputName), 'utf8')).toContain('"level":30')
  })
})

const isSeed = (word: string): boolean => {
  const read = readStrkey(word)
  return E.isLeft(read) && read.left._tag === 'SecretSeed'
}
