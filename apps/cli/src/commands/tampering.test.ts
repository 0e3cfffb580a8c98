import { join } from 'node:path'
import { openDatabase } from '@quittance/event-store/sqlite'
import * as E from 'fp-ts/lib/Either.js'
import { forge } from '../testing/forged-log.ts'
import { processMs, type TestDirectory, testDirectory } from '../testing/run-cli.ts'
import { merchantIn } from '../testing/shapes.ts'

/** The rows of the tables in docs/verifying.md, each made by SQL in a data directory. */
describe('what verify names after somebody has written to the files of a data directory', () => {
  let directory: TestDirectory
  let [merchantId, ada] = ['', '']
  beforeEach(async () => {
    directory = testDirectory()
    merchantId = merchantIn(await directory.json('merchant', 'create', '--name', 'Ada Lovelace')).merchantId
    await directory.served()
    ada = await directory.opened(async ({ billing, clock }) => {
      const commandId = billing.freshId()
      const at = clock.now('testnet')
      const context = { merchantId, environment: 'testnet' as const, commandId, correlationId: commandId }
      const made = await billing.customers.createAll({ ...context, causationId: null, actor: 'test', at }, [
        { email: 'ada@example.org', name: 'Ada', phone: null, image: null, metadata: {} },
      ])()
      if (E.isLeft(made)) throw new Error(made.left._tag)
      return made.right[0]?.id ?? ''
    })
  }, processMs)
  afterEach(() => directory.remove())

  const file = (name: string): string => join(directory.path, name)
  const write = (name: string, statement: string, ...values: ReadonlyArray<string | number | Uint8Array>): void => {
    const database = openDatabase(file(name), { durability: 'full' })
    database.prepare(statement).run(...values)
    database.close()
  }
  const named = async (): Promise<ReadonlyArray<string>> => {
    const { status, stdout, stderr } = await directory.inside('verify')
    if (stderr !== '') throw new Error(stderr)
    const [verdict = '', ...problems] = stdout.trim().split('\n')
    expect({ status, isOk: verdict.startsWith('ok: ') }).toEqual({
      status: Number(problems.length > 0),
      isOk: problems.length === 0,
    })
    return problems
  }
  const inVault = (statement: string, ...values: ReadonlyArray<string | number | Uint8Array>) =>
    write('vault.db', statement, ...values)

  it('nothing, where nobody has', async () => expect(await named()).toEqual([]), processMs)

  it(
    'an event that was altered',
    async () => {
      write(
        'quittance.db',
        'UPDATE events SET data = \'{"name":"Eve"}\' WHERE stream = ? AND revision = 0',
        `merchant-${merchantId}`,
      )
      expect(await named()).toEqual([
        `merchant-${merchantId} @ 0: its hash does not match its content`,
        'not checked: what the events say, since the log is not as it was written',
      ])
    },
    processMs,
  )

  it(
    'a customer who is made a second time, with right hashes',
    async () => {
      forge(file('quittance.db'), `customer-${ada}`, {
        type: 'CustomerCreated',
        data: { profile: null, emailHash: null, phoneHash: null },
      })
      expect(await named()).toEqual([`customer-${ada} @ 1: CustomerCreated: no command could have recorded this here`])
    },
    processMs,
  )

  it(
    'a wallet that is proven though it was never linked, with right hashes',
    async () => {
      forge(file('quittance.db'), `customer-${ada}`, {
        type: 'WalletProven',
        data: { walletId: 'cwl_0350octnOHjxKc0nvAnxpS' },
      })
      expect(await named()).toEqual([`customer-${ada} @ 1: WalletProven: no command could have recorded this here`])
    },
    processMs,
  )

  it(
    'an event of no type of ours, with right hashes',
    async () => {
      forge(file('quittance.db'), `customer-${ada}`, { type: 'CustomerPaid', data: {} })
      expect(await named()).toEqual([
        `customer-${ada} @ 1: CustomerPaid: is no event of its stream: unknown type or schema version`,
      ])
    },
    processMs,
  )

  it(
    'a removed key of a customer',
    async () => {
      inVault('DELETE FROM vault WHERE name = ?', `subject/${ada}`)
      expect(await named()).toEqual([
        `customer-${ada} @ 0: the vault has no key for the personal data of ${ada}, and records no erasure`,
      ])
    },
    processMs,
  )

  it(
    'a key that was destroyed past the log',
    async () => {
      inVault('UPDATE vault SET wrapped = ? WHERE name = ?', new Uint8Array(0), `subject/${ada}`)
      expect(await named()).toEqual([
        `customer-${ada} @ 0: the key of ${ada} is destroyed, and the log records no erasure`,
      ])
    },
    processMs,
  )

  it(
    'a key that stands under the name of another',
    async () => {
      const settlement = `secret/settlement/testnet/${merchantId}`
      inVault(
        'UPDATE vault SET wrapped = (SELECT wrapped FROM vault WHERE name = ?) WHERE name = ?',
        `subject/${ada}`,
        settlement,
      )
      expect(await named()).toEqual(
        expect.arrayContaining([
          `vault: ${settlement} does not open: it was altered, or moved there from another name`,
        ]),
      )
    },
    processMs,
  )

  it(
    'a removed record of a signature',
    async () => {
      inVault('DELETE FROM signing_records WHERE link = 1')
      expect(await named()).toEqual(expect.arrayContaining(['vault: the signing record 1 is missing']))
    },
    processMs,
  )

  it(
    'an altered record of a signature',
    async () => {
      inVault("UPDATE signing_records SET actor = 'nobody' WHERE link = 1")
      expect(await named()).toEqual(['vault: the signing record 1 was altered, or the one before it is another'])
    },
    processMs,
  )
})
