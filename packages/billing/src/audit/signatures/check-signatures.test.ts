import { changesOf, rowsOf } from '@quittance/event-store'
import { withVault } from '../../testing/kept.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { masterKey } from '../../testing/stores.ts'
import { units } from '../../testing/wallets.ts'
import { checkContents } from '../check-contents.ts'

describe('whether the records of signatures are those that were written', () => {
  let shop: StoreFront
  beforeEach(async () => {
    shop = await openStoreFront()
    const { id } = await shop.sell()
    await shop.pay(id, [units(12)])
    for (let steps = 0; steps < 4; steps += 1) {
      shop.network.sandbox.close()
      await shop.step()
    }
  })
  afterEach(() => shop.close())

  const inVault = (statement: string, ...values: ReadonlyArray<string | number>) =>
    withVault(shop.folder.path, (sql) => sql.run(changesOf(statement, ...values)))
  const rows = (statement: string) => withVault(shop.folder.path, (sql) => sql.run(rowsOf(statement)))
  const found = async (key: Uint8Array | null = masterKey) =>
    (
      await withVault(shop.folder.path, (sql) => checkContents(shop.platform.log, { sql, masterKey: key }))
    ).findings.map(({ stream, revision, problem }) =>
      stream === null ? problem : `${stream} @ ${revision}: ${problem}`,
    )
  const signed = async () => {
    const [row] = await rows(
      "SELECT link, digest FROM signing_records WHERE purpose = 'transaction' ORDER BY link LIMIT 1",
    )
    return { link: Number(row?.link), hash: String(row?.digest) }
  }

  it('finds nothing after a sale of which too much was paid and returned', async () => {
    expect([await found(), await found(null)]).toEqual([[], []])
  })

  it('names removed records, and the transaction that they were of', async () => {
    const { link, hash } = await signed()
    // Two keys have signed it.
    await inVault('DELETE FROM signing_records WHERE digest = ?', hash)
    expect(await found()).toEqual([
      `vault: the signing records ${link} to ${link + 1} are missing`,
      `stellartx-${hash} @ 0: no signing record of the transaction ${hash} is there`,
    ])
  })

  it('names a record that was altered, which the master key shows', async () => {
    const { link } = await signed()
    await inVault("UPDATE signing_records SET actor = 'nobody' WHERE link = ?", link)
    expect([await found(), await found(null)]).toEqual([
      [`vault: the signing record ${link} was altered, or the one before it is another`],
      [],
    ])
  })

  it('names the newest records when they are cut off', async () => {
    const { link, hash } = await signed()
    await inVault('DELETE FROM signing_records WHERE link >= ?', link)
    expect(await found()).toEqual([
      expect.stringMatching(`^vault: the signing records? ${link}( to \\d+ are| is) missing$`),
      `stellartx-${hash} @ 0: no signing record of the transaction ${hash} is there`,
    ])
  })

  it('names an event of the log that is another one than when a key was used', async () => {
    const [row] = await rows(
      'SELECT number, log_mark FROM signing_records WHERE log_mark IS NOT NULL ORDER BY link DESC',
    )
    const mark = JSON.parse(String(row?.log_mark))
    const altered = JSON.stringify({ ...mark, hash: 'f'.repeat(64) })
    await inVault('UPDATE signing_records SET log_mark = ? WHERE number = ?', altered, Number(row?.number))
    expect(await found(null)).toEqual([
      `${mark.stream} @ ${mark.revision} is not the event that it was when a key was used`,
    ])
  })

  it('chains the records of an earlier release at the next start', async () => {
    await inVault('UPDATE signing_records SET link = NULL, hash = NULL')
    await inVault('DELETE FROM signing_head')
    const unchained = await withVault(shop.folder.path, (sql) => checkContents(shop.platform.log, { sql, masterKey }))
    expect(unchained).toEqual({
      findings: [],
      notChecked: [expect.stringMatching(/^\d+ signing records of an earlier release, until the next start$/)],
    })
  })
})
