import { join } from 'node:path'
import { openDatabase } from '@quittance/event-store/sqlite'
import type { Platform } from '@quittance/host'
import { onChosenStore } from '../testing/on-chosen-store.ts'
import type { TestDirectory } from '../testing/run-cli.ts'
import { merchantIn } from '../testing/shapes.ts'

const tenMinutes = 600

describe('transaction list and transaction decide', () => {
  let directory: TestDirectory
  beforeAll(() => {
    directory = onChosenStore()
  })
  afterAll(() => directory.remove())
  const transaction = (...words: ReadonlyArray<string>) => directory.inside('transaction', ...words)
  const refusal = (...words: ReadonlyArray<string>) => directory.refusal('transaction', ...words)
  const because = ['--reason', 'an explorer shows it']
  const unknown = 'ab'.repeat(32)
  const step = async ({ workers, sandbox }: Platform): Promise<number> => {
    for (const worker of workers) await worker.step()
    return sandbox?.sandbox.clock().ledger ?? 0
  }
  /** Returns an unknown payment to its sender. Answers the ledger that holds the return, which is not ingested. */
  const sendBack = (merchantId: string) =>
    directory.opened(async (platform) => {
      const { billing, sandbox, clock } = platform
      const books = await billing.following.compare('testnet')()
      if (books._tag === 'Left') throw new Error(books.left._tag)
      const usdc = sandbox?.sandbox.assets().find(({ code }) => code === 'USDC')?.assetId ?? ''
      await sandbox?.sandbox.fund({ address: books.right.balances[0]?.account ?? '', assetId: usdc })()
      await step(platform)
      const scope = { merchantId, environment: 'testnet' as const }
      const [exception] = (await billing.exceptions.list({ ...scope, limit: 1 }, null)()).resources
      const commandId = billing.freshId()
      const context = {
        ...scope,
        commandId,
        correlationId: commandId,
        causationId: null,
        actor: 'test',
        at: clock.now('testnet'),
      }
      const wanted = { action: 'refund', destination: null, note: null } as const
      await billing.exceptions.resolve(context, exception?.id ?? '', wanted)()
      await step(platform)
      const ledger = sandbox?.sandbox.close().sequence ?? 0
      await sandbox?.sandbox.advance({ seconds: tenMinutes, nextDue: async () => null, settle: async () => {} })()
      return ledger
    })
  /** The node forgets all ledgers but the newest, where the operator resumes ingestion. */
  const forget = async (): Promise<void> => {
    const database = openDatabase(join(directory.path, 'sandbox.db'), { durability: 'full' })
    const latest = await directory.opened(async ({ sandbox }) => sandbox?.sandbox.clock().ledger ?? 0)
    database.execute(`DELETE FROM sandbox_ledger WHERE sequence < ${latest}`)
    database.execute(`DELETE FROM sandbox_transaction WHERE ledger < ${latest}`)
    database.close()
    await directory.inside('ledger', 'resume', '--from', String(latest), '--reason', 'a test')
    await directory.opened(step)
  }

  it.each([
    [['--transaction', 'abc', '--as', 'dead', ...because]],
    [['--transaction', unknown, '--as', 'gone', ...because]],
    [['--transaction', unknown, '--as', 'succeeded', ...because]],
    [['--transaction', unknown, '--as', 'succeeded', '--ledger', '1e3', ...because]],
    [['--transaction', unknown, '--as', 'dead', '--ledger', '7', ...because]],
    [['--transaction', unknown, '--as', 'dead']],
    [['--transaction', unknown, '--as', 'dead', '--reason', ' ']],
  ])('rejects a missing or malformed value: transaction decide %j', async (words) => {
    expect(await refusal('decide', ...words)).toEqual([2, 'usage'])
  })

  it('lists the facts of an unprovable transaction, and records the decision of the operator', async () => {
    const { merchantId } = merchantIn(await directory.json('merchant', 'create', '--name', 'Ada'))
    expect(await transaction('list')).toEqual({
      status: 0,
      stdout: 'No transaction waits for the operator.\n',
      stderr: '',
    })
    expect(await refusal('decide', '--transaction', unknown, '--as', 'dead', ...because)).toEqual([
      1,
      'transaction_not_found',
    ])
    const ledger = await sendBack(merchantId)
    await forget()
    const listed = JSON.parse((await transaction('list', '--json')).stdout)
    const intent = { intent_id: expect.stringMatching(/^int_/), owner: expect.stringMatching(/^ret_/), amount: '10000' }
    expect(listed).toMatchObject([
      { merchant_id: merchantId, known: 'unprovable', held: null, sequence_used: true, intents: [intent] },
    ])
    const [{ transaction_hash: hash, intents }] = listed
    expect((await transaction('list')).stdout).toMatch(
      new RegExp(`^${hash} after ledger .* is used; nobody can prove its outcome\n  int_`),
    )

    const line = ['decide', '--transaction', hash, '--as']
    expect(await refusal(...line, 'succeeded', '--ledger', '1', ...because)).toEqual([1, 'ledger_does_not_hold_it'])
    const decided = {
      transaction_hash: hash,
      as: 'succeeded',
      ledger,
      by: 'ada',
      reason: 'an explorer shows it',
      intents: [intents[0].intent_id],
    }
    const right = [...line, 'succeeded', '--ledger', String(ledger), ...because, '--by', 'ada']
    expect(await directory.json('transaction', ...right)).toEqual(decided)
    expect(await transaction(...right)).toEqual({
      status: 0,
      stdout: `Transaction ${hash} succeeded in ledger ${ledger}, says ada. A worker acts with the next ledger: 1 intent.\n`,
      stderr: '',
    })
    expect(await refusal(...line, 'dead', ...because)).toEqual([1, 'transaction_has_ended'])
    await directory.opened(async (platform) => {
      platform.sandbox?.sandbox.close()
      await step(platform)
      await step(platform)
    })
    expect(await directory.json('transaction', 'list')).toEqual([])
    expect(await directory.json('verify')).toMatchObject({ ok: true })
  })
})
