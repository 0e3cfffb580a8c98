import { asText, type IntentId, LedgerSequence, minuteMs, type TransactionHash } from '@quittance/domain'
import { decoded, hashOf } from '@quittance/domain/testing'
import { keyPairFromSeed } from '@quittance/ledger'
import { createBilling } from '../face/billing.ts'
import { recordOutcomes } from '../features/outgoing/record-outcomes.ts'
import type { SettlementTrouble } from '../features/outgoing/trouble.ts'
import { channelKey } from '../stores/vault/vault-signer.ts'
import { acceptLog } from '../testing/accept-log.ts'
import { dyingAfter, ProcessDied } from '../testing/failing-stores.ts'
import { forgetful, type Memory } from '../testing/forgetful.ts'
import { done, present, refused } from '../testing/outcomes.ts'
import { command } from '../testing/shop.ts'
import { openTill } from '../testing/till.ts'
import { units } from '../testing/wallets.ts'
import { createWorker, type Worker } from '../worker/worker.ts'
import type { Said } from './conflicting-claim.ts'

/**
 * A till whose node has forgotten the ledgers in which a transaction may be: `isTaken`, the first of them holds it.
 * Those ledgers were skipped, so that its outcome cannot be proven.
 */
const openUnprovable = async (isTaken: boolean) => {
  const till = await openTill()
  const memory: Memory = { oldest: 1, isSilent: false }
  const known = present(till.services.networks.testnet)
  const network = { ...known, gateway: forgetful(known.gateway, memory) }
  const services = { ...till.services, networks: { testnet: network, mainnet: null } }
  const billing = createBilling(services)
  const alarms: Array<SettlementTrouble> = []
  const worker: Worker = present(
    createWorker(services, 'testnet', () => undefined, { onTrouble: (each) => alarms.push(each) }),
  )
  const pass = async (ms = 1_000): Promise<void> => {
    till.network.wait(ms)
    await done(worker.step)
  }
  const context = () => {
    const { merchantId: _, ...unnamed } = command(till.platform, '')
    return unnamed
  }
  const latest = () => decoded(LedgerSequence, till.network.sandbox.clock().ledger)
  const by = { by: asText('ada'), reason: asText('looked it up elsewhere') }

  const before = await till.balanceOf(till.payer.account)
  till.network.faults.losesSubmissions = !isTaken
  const id = await till.want()
  await done(worker.step)
  till.network.faults.losesSubmissions = false
  till.network.wait(1_000)
  const takenIn = latest()
  till.network.wait(3 * minuteMs)
  memory.oldest = latest()
  await done(billing.following.resume(context(), { ...by, from: latest(), isForced: false }))
  await done(worker.step)
  const hash = present((await till.intent(id)).attachedTo)
  /** The channel has sent something else with the number of the transaction. */
  const useNumber = async (): Promise<void> => {
    const { sourceAccount } = present((await till.transactions()).find((each) => each.id === hash)).row
    const keys = await Promise.all(
      [1, 2].map((number) => services.vault.carriage.withSeed(channelKey('testnet', number), keyPairFromSeed)),
    )
    const { secret } = present(keys.find(({ accountId }) => accountId === sourceAccount))
    till.wallets.payFrom(secret, {
      to: till.other.account,
      asset: till.network.xlm.assetId,
      parts: [units(1)],
      memo: null,
    })
  }
  return {
    ...till,
    services,
    useNumber,
    memory,
    billing,
    alarms,
    worker,
    pass,
    context,
    by,
    takenIn,
    id,
    hash,
    paid: async () => (await till.balanceOf(till.payer.account)) - before,
  }
}

describe('a transaction without a provable outcome', () => {
  let till: Awaited<ReturnType<typeof openUnprovable>>
  let id: IntentId
  let hash: TransactionHash
  const open = async (isTaken: boolean): Promise<void> => {
    till = await openUnprovable(isTaken)
    ;({ id, hash } = till)
  }
  afterEach(() => till.close())
  const say = (said: Said, billing = till.billing) =>
    billing.transactions.decide(till.context(), { transactionHash: hash, said, ...till.by })
  const ending = async () => (await till.typesOf(`stellartx-${hash}`)).slice(2)

  it('is listed with what is known, and stays as it is', async () => {
    await open(true)
    await till.pass(minuteMs)
    expect(till.alarms).toEqual([{ _tag: 'OutcomeUnprovable', transactionHash: hash }])
    expect(await done(till.billing.transactions.unresolved('testnet'))).toMatchObject([
      { id: hash, intents: [{ id }], finding: { _tag: 'Unprovable' }, isSequenceUsed: true },
    ])
    expect(await ending()).toEqual([])
  })

  it('is closed with the next ledger and settles its intents after a claim of success', async () => {
    await open(true)
    const { decision } = await done(say({ as: 'succeeded', ledger: till.takenIn }))
    expect(decision).toMatchObject({
      as: 'succeeded',
      ledger: till.takenIn,
      by: 'ada',
      reason: 'looked it up elsewhere',
    })
    const [event] = (await till.eventsOf(`stellartx-${hash}`)).slice(2)
    expect(event).toMatchObject({ type: 'TransactionDecided', data: decision, metadata: { actor: 'test' } })
    await till.pass()
    expect(await ending()).toEqual(['TransactionDecided', 'TransactionClosed'])
    expect(await till.intent(id)).toMatchObject({
      status: 'settled',
      end: { transactionHash: hash, ledger: till.takenIn },
    })
    expect(await till.paid()).toBe(units(1))
    expect([await done(till.billing.transactions.unresolved('testnet')), till.worker.troubles()]).toEqual([[], []])
  })

  it.each(['dead', 'failed'] as const)(
    'detaches its intents after a claim that it is %s, and another transaction pays them',
    async (as) => {
      await open(false)
      if (as === 'dead') expect(await refused(say({ as: 'failed' }))).toEqual({ _tag: 'SequenceNotUsed' })
      else {
        await till.useNumber()
        await acceptLog({ ...till, worker: till.worker })
      }
      await done(say({ as }))
      for (let n = 0; n < 3; n++) await till.pass()
      expect(await ending()).toEqual(['TransactionDecided', 'TransactionClosed'])
      expect(await till.intent(id)).toMatchObject({ status: 'settled', attempts: 1 })
      expect(await till.paid()).toBe(units(1))
    },
  )

  it('is decided once: an equal claim changes nothing, another claim is refused', async () => {
    await open(true)
    const said = { as: 'succeeded' as const, ledger: till.takenIn }
    const first = await done(say(said))
    expect(await done(say(said))).toMatchObject(first)
    await till.pass()
    expect(await done(say(said))).toMatchObject(first)
    expect(await refused(say({ as: 'dead' }))).toEqual({ _tag: 'TransactionHasEnded', end: 'succeeded' })
    expect(await ending()).toEqual(['TransactionDecided', 'TransactionClosed'])
  })

  it('takes one of two claims at once', async () => {
    await open(true)
    const both = await Promise.all([say({ as: 'succeeded', ledger: till.takenIn })(), say({ as: 'dead' })()])
    expect(both.map(({ _tag }) => _tag).sort()).toEqual(['Left', 'Right'])
    expect(await ending()).toEqual(['TransactionDecided'])
  })

  it.each([1, 2, 3, 4])('is closed by another process when a process dies after append %i', async (appends) => {
    await open(false)
    const store = dyingAfter(appends)(till.services.store)
    const dying = { ...till.services, store }
    const work = async () => {
      await done(say({ as: 'dead' }, createBilling(dying)))
      till.network.wait(1_000)
      await done(present(createWorker(dying, 'testnet', () => undefined)).step)
    }
    await expect(work()).rejects.toThrow(ProcessDied)
    await done(say({ as: 'dead' }))
    for (let n = 0; n < 4; n++) await till.pass()
    expect(await ending()).toEqual(['TransactionDecided', 'TransactionClosed'])
    expect(await till.intent(id)).toMatchObject({ status: 'settled' })
    expect(await till.paid()).toBe(units(1))
  })

  it('refuses a claim about an unknown transaction or a proven outcome', async () => {
    await open(true)
    const other = till.billing.transactions.decide(till.context(), {
      transactionHash: hashOf(1),
      said: { as: 'dead' },
      ...till.by,
    })
    expect(await refused(other)).toEqual({ _tag: 'TransactionNotFound', transactionHash: hashOf(1) })
    const beyond = decoded(LedgerSequence, till.takenIn + 1_000)
    expect(await refused(say({ as: 'succeeded', ledger: beyond }))).toEqual({
      _tag: 'LedgerDoesNotHoldIt',
      ledger: beyond,
    })
    till.memory.oldest = 1
    const proven = { _tag: 'EndIsProven', as: 'succeeded', ledger: till.takenIn }
    for (const as of ['dead', 'failed'] as const) expect(await refused(say({ as }))).toEqual(proven)
    expect(await ending()).toEqual([])
    await till.pass()
    expect(await ending()).toEqual(['TransactionSucceeded', 'TransactionClosed'])
  })

  it('refuses a claim while a ledger may still include the transaction', async () => {
    await open(false)
    const fresh = await till.want()
    await done(till.worker.step)
    hash = present((await till.intent(fresh)).attachedTo)
    expect(await refused(say({ as: 'dead' }))).toMatchObject({ _tag: 'EndIsAwaited' })
  })

  it('raises a trouble and books nothing when a transaction that was decided to be dead is included', async () => {
    await open(true)
    await done(say({ as: 'dead' }))
    for (let n = 0; n < 3; n++) await till.pass()
    expect(await till.paid()).toBe(units(2))
    till.memory.oldest = 1
    const held = present([...(await done(till.network.gateway.readLedgers(till.takenIn, 1, null))).ledgers][0])
    const raise = (trouble: SettlementTrouble) => void till.alarms.push(trouble)
    await done(recordOutcomes({ services: till.services, raise }, 'testnet', { ...held, mandates: [] }))
    expect(till.alarms.at(-1)).toMatchObject({
      _tag: 'OutcomeContradicted',
      transactionHash: hash,
      ledger: till.takenIn,
    })
    const request = { from: decoded(LedgerSequence, 1), to: null, merchantId: null }
    const { unexplained, isOk } = await done(till.billing.following.reconcile('testnet', request))
    expect([isOk, unexplained.map(({ transactionHash }) => transactionHash)]).toEqual([false, [hash]])
  })
})
