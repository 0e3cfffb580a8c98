import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { right } from '@quittance/billing/testing/outcomes'
import { asText } from '@quittance/domain'
import { configFrom, openPlatform, type Platform } from '@quittance/host'
import { eventStoreOf, removeEventStoreOf } from '@quittance/http/testing/event-store'
import { eventually } from '@quittance/http/testing/eventually'
import { startWorker, type WorkerProcess } from './testing/worker-process.ts'

const settingsOf = async (directory: string) => ({ QUITTANCE_DATA_DIR: directory, ...(await eventStoreOf(directory)) })

const openDirectory = async (directory: string): Promise<Platform> =>
  right(await openPlatform(right(configFrom(await settingsOf(directory)))))

/** A checkout of 5 XLM, of a merchant of its own. */
const openCheckout = async ({ billing, clock }: Platform) => {
  const context = (commandId: string) => ({
    environment: 'testnet' as const,
    commandId,
    correlationId: commandId,
    causationId: null,
    actor: 'operator',
    at: clock.now('testnet'),
  })
  const { merchantId } = right(await billing.merchants.create(context(billing.freshId()), asText('Ada & Co'))())
  const options = {
    customer: { id: null, email: null, phone: null },
    redirectUrl: null,
    description: null,
    metadata: null,
  }
  const checkout = await billing.checkouts.createDirect(
    { ...context(billing.freshId()), merchantId },
    { amount: '5', amountCents: null },
    'XLM',
    options,
  )()
  return { scope: { merchantId, environment: 'testnet' as const }, id: right(checkout).id }
}

describe('the worker as a process of its own', () => {
  let directory: string
  let worker: WorkerProcess | null = null
  let platform: Platform | null = null
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'quittance-worker-'))
  })
  afterEach(async () => {
    worker?.kill('SIGKILL')
    await worker?.ended
    await platform?.close()
    worker = null
    platform = null
    removeEventStoreOf(directory)
    rmSync(directory, { recursive: true })
  })

  it.each(['SIGTERM', 'SIGINT'] as const)('logs when the worker is ready, and ends in order at %s', async (signal) => {
    worker = startWorker(await settingsOf(directory))
    expect(await worker.logged('the worker is ready')).toMatchObject({
      level: 30,
      ledgers: 1,
      isSandboxServed: false,
    })
    worker.kill(signal)
    expect(await worker.ended).toEqual({ code: 0, signal: null, stderr: '' })
  })

  it('the worker works off what is due in a ledger that another process closed, and closes none itself', async () => {
    const opened = await openDirectory(directory)
    platform = opened
    const sandbox = opened.sandbox?.sandbox
    if (sandbox === undefined) throw new Error('there is no sandbox')
    const { scope, id } = await openCheckout(opened)
    const statusNow = async () => right(await opened.billing.checkouts.retrieve(scope, id)()).status

    worker = startWorker(await settingsOf(directory))
    await worker.logged('the worker is ready')
    const moreThanADay = { seconds: 25 * 60 * 60, nextDue: async () => null, settle: async () => {} }
    const { ledger } = right(await sandbox.advance(moreThanADay)())
    expect(await eventually(statusNow, (status) => status !== 'open')).toBe('expired')

    worker.kill('SIGTERM')
    expect({ ended: await worker.ended, ledger: sandbox.clock().ledger }).toEqual({
      ended: { code: 0, signal: null, stderr: '' },
      ledger,
    })
  })

  it('the worker refuses to start with a wrong configuration, and reports all its problems', async () => {
    worker = startWorker({ QUITTANCE_DATA_DIR: directory, QUITTANCE_PORT: 'x', QUITTANCE_LOG_LEVEL: 'loud' })
    expect(await worker.ended).toEqual({
      code: 1,
      signal: null,
      stderr: `QUITTANCE_PORT must be a port from 0 to 65535
QUITTANCE_LOG_LEVEL must be fatal, error, warn, info, debug, trace or silent
`,
    })
  })

  it('the worker refuses to start with another master key than the data was written under', async () => {
    await (await openDirectory(directory)).close()
    worker = startWorker({ ...(await settingsOf(directory)), QUITTANCE_MASTER_KEY: 'f'.repeat(64) })
    expect(await worker.ended).toEqual({
      code: 1,
      signal: null,
      stderr: 'QUITTANCE_MASTER_KEY must be the key that the data directory was written under\n',
    })
  })
})
