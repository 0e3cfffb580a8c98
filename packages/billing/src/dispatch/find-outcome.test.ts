import { accountSequence, asText, type IntentId, LedgerSequence, minuteMs, secondMs, stroops } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import type { AccountView, LedgerGateway } from '@quittance/ledger'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Network } from '../services/services.ts'
import { acceptLog } from '../testing/accept-log.ts'
import { failingBump } from '../testing/failing-bump.ts'
import { done, present } from '../testing/outcomes.ts'
import { command } from '../testing/shop.ts'
import { openTill, type Till, withoutChannels } from '../testing/till.ts'
import { units } from '../testing/wallets.ts'
import { createWorker, type Worker } from '../worker/worker.ts'

describe('outgoing money of an account without channels', () => {
  let till: Till
  beforeEach(async () => {
    till = await openTill()
  })
  afterEach(() => till.close())

  /** A worker of the same shop that reaches the network in another way. */
  const workerOver = (changed: Partial<LedgerGateway> = {}): { worker: Worker; alarms: ReadonlyArray<unknown> } => {
    const known = present(till.services.networks.testnet)
    const network: Network = { ...withoutChannels(known), gateway: { ...known.gateway, ...changed } }
    const alarms: Array<unknown> = []
    const services = { ...till.services, networks: { testnet: network, mainnet: null } }
    const noHalt = () => undefined
    return {
      worker: present(createWorker(services, 'testnet', noHalt, { onTrouble: (each) => alarms.push(each) })),
      alarms,
    }
  }
  const passes = async ({ worker }: { worker: Worker }, ...waits: ReadonlyArray<number>): Promise<void> => {
    for (const ms of waits) {
      till.network.wait(ms)
      await done(worker.step)
    }
  }
  const paidBy = async (work: () => Promise<unknown>): Promise<bigint> => {
    const before = await till.balanceOf(till.payer.account)
    await work()
    return (await till.balanceOf(till.payer.account)) - before
  }
  const hashOf = async (id: IntentId) => present((await till.intent(id)).attachedTo)
  const skipTo = async (behind: number): Promise<void> => {
    const from = decoded(LedgerSequence, till.network.sandbox.clock().ledger + behind)
    const { merchantId: _, ...context } = command(till.platform, '')
    const request = { from, by: asText('a person'), reason: asText('a test'), isForced: true }
    await done(till.billing.following.resume(context, request))
  }

  it('pays the fee from the same account, and books both', async () => {
    const own = workerOver()
    const before = await till.balanceOf(till.account)
    for (const id of [await till.want(), await till.want()]) expect(await till.intent(id)).toBeDefined()
    await done(own.worker.step)
    expect(await paidBy(() => passes(own, 1_000, 1_000))).toBe(units(2))
    expect(await till.balanceOf(till.account)).toBe(before - units(2) - 200n)
    const [transaction, ...more] = await till.transactions()
    expect(more).toEqual([])
    expect(transaction?.row).toMatchObject({
      sourceAccount: till.account,
      fees: [{ feeSource: till.account, feeCharged: stroops(200n) }],
    })
    expect(await done(till.billing.following.compare('testnet'))).toMatchObject({ comparison: { differing: 0 } })
  })

  it('waits while the ledger does not hold the account, and raises a trouble', async () => {
    const own = workerOver({ accountView: () => TE.right(null) })
    await till.want()
    await passes(own, 1_000, 1_000)
    expect(await till.transactions()).toEqual([])
    expect(own.alarms).toEqual([{ _tag: 'FeeSourceCannotPay', account: till.account }])
    expect(own.worker.troubles()).toEqual(own.alarms)
  })

  it('waits when the account has no sequence number left, and delays no other merchant', async () => {
    const spent: LedgerGateway['accountView'] = (account, assets) =>
      TE.map((view: AccountView | null) =>
        view === null ? null : { ...view, accountSequence: accountSequence(2n ** 63n - 1n) },
      )(till.network.gateway.accountView(account, assets))
    const own = workerOver({ accountView: spent })
    await till.want()
    await passes(own, 1_000, 1_000)
    expect(await till.transactions()).toEqual([])
    expect(own.alarms).toEqual([{ _tag: 'FeeSourceCannotPay', account: till.account }])
  })

  it('waits while the account cannot pay the fee, and raises the trouble once', async () => {
    const poor: LedgerGateway['accountView'] = (account, assets) =>
      TE.map((view: Awaited<ReturnType<typeof accountOf>>) =>
        view === null ? null : { ...view, nativeSpendable: stroops(99n) },
      )(till.network.gateway.accountView(account, assets))
    const accountOf = async () => done(till.network.gateway.accountView(till.account, []))
    const own = workerOver({ accountView: poor })
    const id = await till.want()
    await passes(own, 1_000, 1_000, 1_000)
    expect(await till.transactions()).toEqual([])
    expect(own.alarms).toEqual([{ _tag: 'FeeSourceCannotPay', account: till.account }])
    expect(own.worker.troubles()).toEqual(own.alarms)
    expect(await paidBy(() => passes(workerOver(), 1_000, 1_000))).toBe(units(1))
    expect(await till.intent(id)).toMatchObject({ status: 'settled' })
  })

  it('pays once when a foreign transaction has used the sequence number', async () => {
    const own = workerOver()
    till.network.faults.losesSubmissions = true
    const id = await till.want()
    await done(own.worker.step)
    const first = present((await till.transactions())[0])
    till.wallets.payFrom(await till.seedOf(till.merchantId), {
      to: till.other.account,
      asset: till.network.xlm.assetId,
      parts: [units(1)],
      memo: null,
    })
    till.network.faults.losesSubmissions = false
    await acceptLog({ ...till, worker: own.worker })
    expect(await paidBy(() => passes(own, 1_000, minuteMs, minuteMs, 1_000, 1_000))).toBe(units(1))
    const used = (await till.transactions()).map(({ row }) => [row.accountSequence, row.fees.length]).sort()
    expect(used).toEqual([
      [first.row.accountSequence, 0],
      [first.row.accountSequence + 1n, 1],
    ])
    expect(await till.intent(id)).toMatchObject({ status: 'settled', attempts: 1 })
    expect(own.alarms).toEqual([])
  })

  it('never resubmits refused bytes, and pays by another transaction once they are dead', async () => {
    const sent: Array<string> = []
    const refusing: LedgerGateway['submit'] = (envelope) => {
      sent.push(envelope)
      return TE.left({ _tag: 'Refused', code: 'txBadAuth', operationCodes: [] })
    }
    const own = workerOver({ submit: refusing })
    const id = await till.want()
    await passes(own, 1_000, 1_000, 1_000)
    expect(sent).toHaveLength(1)
    const hash = await hashOf(id)
    expect(own.alarms).toEqual([{ _tag: 'SubmissionRefused', transactionHash: hash, code: 'txBadAuth' }])
    expect(own.worker.troubles()).toEqual(own.alarms)
    expect(await paidBy(() => passes(workerOver(), 1_000, 3 * minuteMs, 1_000, 1_000))).toBe(units(1))
    expect(await till.typesOf(`stellartx-${hash}`)).toEqual([
      'TransactionPrepared',
      'TransactionReleased',
      'SubmissionRefused',
      'TransactionDied',
      'TransactionClosed',
    ])
  })

  it('keeps a transaction alive while a node claims an outcome, and raises a trouble', async () => {
    till.network.faults.losesSubmissions = true
    const id = await till.want()
    await passes(workerOver(), 1_000)
    const hash = await hashOf(id)
    const { ledger } = till.network.sandbox.clock()
    const told = { _tag: 'Succeeded' as const, ledger: decoded(LedgerSequence, ledger), closedAt: till.network.now() }
    const deceived = workerOver({ lookUp: () => TE.right(told) })
    await passes(deceived, 3 * minuteMs, 1_000)
    expect(deceived.alarms).toMatchObject([{ _tag: 'OutcomeContradicted', transactionHash: hash, ledger }])
    expect(await till.intent(id)).toMatchObject({ status: 'attached', attachedTo: hash })
    till.network.faults.losesSubmissions = false
    expect(await paidBy(() => passes(workerOver(), 1_000, 1_000))).toBe(units(1))
  })

  it('pays by another transaction when only a fee bump failed and the time bounds have ended', async () => {
    const failed = failingBump(till.network.gateway, till.other.account)
    const own = workerOver(failed.gateway)
    till.network.faults.losesSubmissions = true
    const id = await till.want()
    await done(own.worker.step)
    const hash = await hashOf(id)
    failed.of(hash, till.network.sandbox.clock().ledger + 1)
    till.network.wait(1_000)
    await done(own.worker.step)
    till.network.faults.losesSubmissions = false
    expect(await paidBy(() => passes(own, 3 * minuteMs, 1_000, 1_000))).toBe(units(1))
    expect(await till.typesOf(`stellartx-${hash}`)).toEqual([
      'TransactionPrepared',
      'TransactionReleased',
      'FeeBumpFailed',
      'TransactionDied',
      'TransactionClosed',
    ])
    expect([await till.intent(id), own.alarms]).toMatchObject([{ status: 'settled', attempts: 1 }, []])
  })

  it('finds the outcome in a skipped ledger while a node holds that ledger', async () => {
    const own = workerOver()
    const id = await till.want()
    await passes(own, 1_000)
    const hash = await hashOf(id)
    till.network.wait(1_000)
    await skipTo(1)
    await passes(own, minuteMs)
    expect(await till.intent(id)).toMatchObject({ status: 'attached' })
    await passes(own, 2 * minuteMs)
    expect(await till.typesOf(`stellartx-${hash}`)).toContain('TransactionSucceeded')
    expect(await till.intent(id)).toMatchObject({ status: 'settled', end: { transactionHash: hash } })
  })

  it('leaves a transaction to an operator when its outcome may lie in a skipped ledger', async () => {
    const own = workerOver()
    till.network.faults.losesSubmissions = true
    const id = await till.want()
    await passes(own, 1_000)
    const hash = await hashOf(id)
    till.network.wait(1_000)
    await skipTo(1)
    till.network.faults.losesSubmissions = false
    expect(await paidBy(() => passes(own, 3 * minuteMs, minuteMs, 30 * secondMs))).toBe(0n)
    expect(own.alarms).toEqual([{ _tag: 'OutcomeUnprovable', transactionHash: hash }])
    expect(own.worker.troubles()).toEqual(own.alarms)
    expect(await till.intent(id)).toMatchObject({ status: 'attached', attachedTo: hash })
    expect(await till.transactions()).toHaveLength(1)
  })
})
