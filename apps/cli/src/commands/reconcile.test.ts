import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '@quittance/event-store/sqlite'
import { onChosenStore } from '../testing/on-chosen-store.ts'
import type { TestDirectory } from '../testing/run-cli.ts'
import { merchantIn } from '../testing/shapes.ts'

describe('reconcile', () => {
  let directory: TestDirectory
  beforeAll(() => {
    directory = onChosenStore()
  })
  afterAll(() => directory.remove())
  const reconcile = (...words: ReadonlyArray<string>) => directory.inside('reconcile', ...words)
  const json = async (...words: ReadonlyArray<string>) => {
    const { status, stdout } = await reconcile(...words, '--json')
    return { status, answer: JSON.parse(stdout) }
  }
  const refusal = (...words: ReadonlyArray<string>) => directory.refusal('reconcile', ...words)
  /** Sends 10,000 USDC to the account in the next ledger, which is then ingested or not. */
  const fund = (account: string, isIngested: boolean) =>
    directory.opened(async ({ billing, sandbox, workers }) => {
      const usdc = sandbox?.sandbox.assets().find(({ code }) => code === 'USDC')?.assetId ?? ''
      await sandbox?.sandbox.fund({ address: account, assetId: usdc })()
      if (isIngested) for (const worker of workers) await worker.step()
      const known = await billing.following.compare('testnet')()
      return { usdc, ledger: known._tag === 'Right' ? known.right.ingestedTo : 0 }
    })

  it.each([
    [['--from', '0']],
    [['--from', '1e3']],
    [['--from', '7', '--to', '-1']],
    [['--from', '7', '--environment', 'live']],
  ])('rejects malformed values of reconcile: %j', async (words) => {
    expect(await refusal(...words)).toEqual([2, 'usage'])
  })

  /** Records that a subscription of each merchant has lost three periods. */
  const lose = (...merchants: ReadonlyArray<string>): void => {
    const isApart = existsSync(join(directory.path, 'read-models.db'))
    const file = join(directory.path, isApart ? 'read-models.db' : 'quittance.db')
    const database = openDatabase(file, { durability: 'full' })
    const insert = database.prepare(`INSERT INTO lost_revenue_1 (id, merchant_id, environment, status, revision, body)
      VALUES (?, ?, 'testnet', 'USD', 1, '{"currency":"USD","periods":3,"cents":3050}')`)
    for (const merchant of merchants) insert.run(`sub_${merchant}`, merchant)
    database.close()
  }

  it('reconcile explains every movement, checks the sums, and reports what it cannot prove', async () => {
    expect(await refusal('--from', '1')).toEqual([1, 'following_not_begun'])
    const { merchantId } = merchantIn(await directory.json('merchant', 'create', '--name', 'Ada'))
    const before = await json('--from', '1')
    expect(before).toMatchObject({
      status: 0,
      answer: { ok: true, compared_with: 'balances', unexplained: [], lost_revenue: [] },
    })
    const [{ account }] = before.answer.accounts
    const { usdc, ledger } = await fund(account, true)

    const { status, answer } = await json('--from', '1', '--merchant', merchantId)
    expect({ status, answer }).toMatchObject({
      status: 0,
      answer: { from: 1, to: ledger, ledgers: ledger, named: { exception: 1, unexplained: 0 }, missing: [], ok: true },
    })
    expect(answer.accounts).toContainEqual(expect.objectContaining({ account, asset: usdc, difference: '0' }))
    const last = String(ledger)
    const { stdout } = await reconcile('--from', '1', '--to', last)
    expect(stdout).toMatch(
      /^ok: \d+ ledgers, \d+ movements: \d+ set_up, 1 exception\.\nThe journal equals the ledger: \d+ events, 1 incoming payment\.\n$/,
    )
    expect((await json()).answer).toMatchObject({ to: ledger, named: { exception: 1 }, ok: true })
    expect(await refusal('--from', last, '--to', '1')).toEqual([1, 'range_empty'])
    expect(await refusal('--from', '1', '--merchant', 'mer_0000000000000000000000')).toEqual([1, 'merchant_not_found'])

    lose(merchantId, 'mer_other')
    const lost = { currency: 'USD', amount: '30.5', periods: 3, subscriptions: 1 }
    expect((await json('--merchant', merchantId)).answer.lost_revenue).toEqual([lost])
    expect((await json()).answer.lost_revenue).toEqual([{ ...lost, amount: '61', periods: 6, subscriptions: 2 }])
    expect((await reconcile()).stdout).toContain('lost revenue: 61 USD, for 6 periods of 2 subscriptions')

    await fund(account, false)
    expect(await refusal('--from', last, '--to', String(ledger + 1))).toEqual([1, 'ledger_not_walked'])
    expect(await json('--from', last)).toMatchObject({ status: 0, answer: { to: ledger, ok: true } })
  })

  it('reconcile names ledgers that no node holds any more', async () => {
    const database = openDatabase(join(directory.path, 'sandbox.db'), { durability: 'full' })
    database.execute('DELETE FROM sandbox_ledger WHERE sequence < 4')
    database.close()
    expect(await refusal('--from', '1')).toEqual([1, 'range_pruned'])
    expect(await json('--from', '4')).toMatchObject({ status: 0, answer: { from: 4, ok: true } })
  })
})
