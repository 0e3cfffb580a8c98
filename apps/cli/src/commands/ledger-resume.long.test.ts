import { join } from 'node:path'
import { openDatabase } from '@quittance/event-store/sqlite'
import { type ServiceProcess, startProcess } from '@quittance/http/testing/child-process'
import { eventStoreOf } from '@quittance/http/testing/event-store'
import { eventually } from '@quittance/http/testing/eventually'
import { readinessAt } from '@quittance/http/testing/readiness'
import { completed, openSale } from '@quittance/http/testing/sale'
import { temporaryDirectory } from '@quittance/http/testing/service'
import { fundedWallet, walletOn } from '@quittance/http/testing/wallet'
import { openSandbox } from '@quittance/sandbox'
import { startWorker, type WorkerProcess } from '@quittance/worker/testing/worker-process'
import { printed, refusalOf, runCli } from '../testing/run-cli.ts'

const nineDays = 9 * 24 * 60 * 60

describe('ingestion after an outage that outlasts the history of the nodes', () => {
  const directory = temporaryDirectory()
  let service: ServiceProcess
  let worker: WorkerProcess | null = null
  afterAll(async () => {
    worker?.kill('SIGKILL')
    await worker?.ended
    await service.kill()
    directory.remove()
  })
  const settings = async () => ({ QUITTANCE_DATA_DIR: directory.path, ...(await eventStoreOf(directory.path)) })
  const cli = async (...words: ReadonlyArray<string>) => runCli(await settings(), 'ledger', ...words, '--json')
  const ledgerNow = async () => (await readinessAt(service.url)).body.ledgers.testnet
  const ingestedAgain = (isHalted: boolean) =>
    eventually(ledgerNow, ({ halted, lag }) => (isHalted ? halted !== null : halted === null && lag === 0))

  /** During the outage a ledger takes this transaction, nine days pass, and the node forgets all but its newest ledger. */
  const outage = async (envelope: string): Promise<number> => {
    const database = openDatabase(join(directory.path, 'sandbox.db'), { durability: 'full' })
    const sandbox = openSandbox({ database, wallClock: Date.now })
    sandbox.submit(envelope)
    const { transactions } = sandbox.close()
    await sandbox.advance({ seconds: nineDays, nextDue: async () => null, settle: async () => {} })()
    const { ledger } = sandbox.clock()
    database.execute(`DELETE FROM sandbox_ledger WHERE sequence < ${ledger}`)
    database.execute(`DELETE FROM sandbox_transaction WHERE ledger < ${ledger}`)
    database.close()
    expect(transactions).toBe(1)
    return ledger
  }

  it('ingestion halts with an alarm, resumes where the operator says, shows the missed payments, and counts later ones once', async () => {
    service = await startProcess(directory.path)
    const wallet = await fundedWallet(service.facts)
    const { destination, assetId, memo } = await openSale(service)
    const orders = { destination, assetId, amount: '5' }
    const missed = await wallet.payment({ ...orders, memo })
    const { walked } = await ingestedAgain(false)
    await service.kill()
    const oldest = await outage(missed.toXdr())

    service = await startProcess(directory.path)
    const { halted } = await ingestedAgain(true)
    expect(halted.reason).toBe('RangePruned')
    expect(halted.ledger).toBeGreaterThan(walked)
    // Of processes that share a database, one ingests, and raises the alarm.
    await service.kill()
    worker = startWorker(await settings())
    const alarm = { _tag: 'RangePruned', from: halted.ledger, oldest: expect.any(Number) }
    expect(await worker.logged('ALARM: the ledger cannot be ingested any further')).toMatchObject({
      level: 50,
      alarm,
    })
    service = await startProcess(directory.path)

    const refused = await cli('resume', '--from', String(halted.ledger), '--reason', 'too early')
    expect(refusalOf(refused)).toEqual([1, 'range_pruned'])
    const line = ['resume', '--from', String(oldest), '--by', 'ada', '--reason', 'the node was away for nine days']
    const resumed = await cli(...line)
    const answer = JSON.parse(resumed.stdout)
    const difference = { account: destination, asset_id: 'native', counted: '10000', held: '10005', difference: '5' }
    expect([resumed.status, resumed.stderr]).toEqual([1, ''])
    expect(answer).toMatchObject({
      environment: 'testnet',
      from: oldest,
      skipped: oldest - halted.ledger,
      by: 'ada',
      reason: 'the node was away for nine days',
      halted: { reason: 'RangePruned', ledger: halted.ledger },
      compared: 3,
      differing: 1,
      balances: expect.arrayContaining([difference]),
      uncounted: [],
    })
    await ingestedAgain(false)

    const later = await openSale(service)
    await walletOn(service.facts, wallet.keypair).pay({ ...orders, memo: later.memo })
    expect(await completed(service, later.id)).toMatchObject({ status: 'completed' })
    const compared = await cli('compare')
    expect([compared.status, JSON.parse(compared.stdout).balances]).toEqual([
      1,
      expect.arrayContaining([{ ...difference, counted: '10005', held: '10010' }]),
    ])
    const again = await cli('resume', '--from', String(oldest), '--reason', 'once more')
    expect(refusalOf(again)).toEqual([1, 'ledger_already_walked'])
    expect(printed(await runCli(await settings(), 'verify', '--json'))).toMatchObject({ ok: true, problems: [] })
  })
})
