import { changesOf, rowsOf } from '@quittance/event-store'
import { encrypt } from '../../stores/vault/cipher.ts'
import { withVault } from '../../testing/kept.ts'
import { done, present } from '../../testing/outcomes.ts'
import { command, someone } from '../../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { masterKey } from '../../testing/stores.ts'
import { units } from '../../testing/wallets.ts'
import { checkContents } from '../check-contents.ts'

describe('whether a vault is the one of a log', () => {
  let shop: StoreFront
  let [ada, grace, paymentId] = ['', '', '']
  beforeEach(async () => {
    shop = await openStoreFront()
    const made = await done(
      shop.billing.customers.createAll(command(shop.platform, shop.merchantId), [
        someone('ada@example.org', 'Ada', '+1 555 0100'),
        someone('grace@example.org', 'Grace'),
      ]),
    )
    ada = present(made[0]).id
    grace = present(made[1]).id
    const { id } = await shop.sell(undefined, { id: ada, email: null, phone: null })
    await shop.pay(id, [units(10)])
    paymentId = (await shop.payment(id)).id
  })
  afterEach(() => shop.close())

  const checked = (key: Uint8Array | null = masterKey) =>
    withVault(shop.folder.path, (sql) => checkContents(shop.platform.log, { sql, masterKey: key }))
  const found = async () =>
    (await checked()).findings.map(({ stream, revision, problem }) =>
      stream === null ? problem : `${stream} @ ${revision}: ${problem}`,
    )
  const alter = (statement: string, ...values: ReadonlyArray<string | Uint8Array>) =>
    withVault(shop.folder.path, (sql) => sql.run(changesOf(statement, ...values)))
  /** Puts other bytes in the place of a key, as somebody with the master key can. */
  const replace = (name: string, key: Uint8Array) =>
    alter('UPDATE vault SET wrapped = ? WHERE name = ?', encrypt(masterKey, name, key), name)

  it('finds nothing in a log and its own vault, also after a change and an erasure', async () => {
    const change = { email: 'countess@example.org', phone: null, metadata: { likes: 'engines' } }
    await done(shop.billing.customers.update(command(shop.platform, shop.merchantId), ada, change))
    await done(shop.billing.customers.remove(command(shop.platform, shop.merchantId), grace))
    expect(await checked()).toEqual({ findings: [], notChecked: [] })
  })

  it('says what is not checked without the master key', async () => {
    expect(await checked(null)).toEqual({
      findings: [],
      notChecked: ['the keys of the vault, and what is sealed under them: the master key is not set'],
    })
  })

  it('names a vault that another master key has wrapped', async () => {
    expect((await checked(new Uint8Array(32).fill(8))).findings).toEqual([
      { stream: null, revision: null, problem: 'vault: no key in it opens under this master key' },
    ])
  })

  it('names the first event with personal data of a customer whose key was removed', async () => {
    await alter('DELETE FROM vault WHERE name = ?', `subject/${ada}`)
    expect(await found()).toEqual([
      `customer-${ada} @ 0: the vault has no key for the personal data of ${ada}, and records no erasure`,
    ])
  })

  it('names a customer whose key was destroyed past the log', async () => {
    await alter('UPDATE vault SET wrapped = ? WHERE name = ?', new Uint8Array(0), `subject/${grace}`)
    expect(await found()).toEqual([
      `customer-${grace} @ 0: the key of ${grace} is destroyed, and the log records no erasure`,
    ])
  })

  it('names a customer who was erased, and whose key came back', async () => {
    const [row] = await withVault(shop.folder.path, (sql) =>
      sql.run(rowsOf('SELECT wrapped FROM vault WHERE name = ?', `subject/${grace}`)),
    )
    await done(shop.billing.customers.remove(command(shop.platform, shop.merchantId), grace))
    if (!(row?.wrapped instanceof Uint8Array)) throw new Error('there was no key')
    await alter('UPDATE vault SET wrapped = ? WHERE name = ?', row.wrapped, `subject/${grace}`)
    expect(await found()).toEqual([
      `customer-${grace} @ 0: ${grace} was erased, and the vault has the key of the personal data still`,
    ])
  })

  it('names a key with a changed byte, and one that stands under the name of another', async () => {
    const wrapped = await withVault(shop.folder.path, (sql) =>
      sql.run(rowsOf('SELECT name, wrapped FROM vault WHERE name = ?', `subject/${grace}`)),
    )
    const box = wrapped[0]?.wrapped
    if (!(box instanceof Uint8Array)) throw new Error('there was no key')
    await alter('UPDATE vault SET wrapped = ? WHERE name = ?', box, `subject/${ada}`)
    expect(await found()).toEqual([
      `vault: subject/${ada} does not open: it was altered, or moved there from another name`,
    ])
  })

  it('names each event whose data does not open under a key that was put in the place of the right one', async () => {
    await replace(`subject/${ada}`, Buffer.alloc(32, 1))
    expect(await found()).toEqual([
      `customer-${ada} @ 0: its personal data does not open under the key of ${ada}`,
      `payment-${paymentId} @ 2: its personal data does not open under the key of ${ada}`,
    ])
  })

  it('names an account that does not derive from the key of its name', async () => {
    const seed = Buffer.from(Buffer.alloc(32, 1).toString('hex'))
    await replace(`secret/settlement/testnet/${shop.merchantId}`, seed)
    expect(await found()).toEqual([
      expect.stringMatching(
        new RegExp(`^merchant-${shop.merchantId} @ \\d+: the vault has no key that ${shop.account} derives from$`),
      ),
      `vault: the key settlement/testnet/${shop.merchantId}, which has signed for ${shop.account}, is another one now`,
    ])
  })

  it('names the events whose hashes are not those of the key of hashes', async () => {
    await replace('lookup-key', Buffer.alloc(32, 1))
    const problem = 'the hash of the email address is not that of the sealed address'
    expect(await found()).toEqual([
      ...[ada, grace].toSorted().map((customer) => `customer-${customer} @ 0: ${problem}`),
      'vault: the signing record 1 was altered, or the one before it is another',
    ])
  })
})
