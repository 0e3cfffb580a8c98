import {
  accountSequence,
  Channel,
  channelId,
  Intent,
  type IntentId,
  minuteMs,
  secondMs,
  stroops,
  unixMs,
} from '@quittance/domain'
import { hashOf, indexOf } from '@quittance/domain/testing'
import type { LedgerGateway } from '@quittance/ledger'
import { openLedgerRoom } from '../features/outgoing/ledger-room.ts'
import type { Ours, Outgoing } from '../features/outgoing/outgoing.ts'
import { channelAccounts, makeOwnKeys, type OwnAccount, signerOf } from '../features/outgoing/signing-accounts.ts'
import { openTurns } from '../features/outgoing/turns.ts'
import { execute } from '../kernel/execute.ts'
import { platform } from '../kernel/platform.ts'
import { done, present } from '../testing/outcomes.ts'
import { command } from '../testing/shop.ts'
import { openTill, type Till } from '../testing/till.ts'
import { advance } from './advance.ts'
import { batchesOf } from './batches.ts'
import { prepare } from './prepare.ts'

describe('a prepared transaction', () => {
  let till: Till
  let sent: Array<string>
  let intents: ReadonlyArray<IntentId>
  let outgoing: Outgoing
  let ours: Ours
  const next = accountSequence(77n)
  beforeEach(async () => {
    till = await openTill()
    intents = [await till.want(), await till.want()]
    sent = []
    const network = present(till.services.networks.testnet)
    const submit: LedgerGateway['submit'] = (envelope) => {
      sent.push(envelope)
      return network.gateway.submit(envelope)
    }
    const ingested = await done(network.gateway.latestLedger())
    outgoing = {
      services: till.services,
      network: { ...network, gateway: { ...network.gateway, submit } },
      ingested,
      firstSeen: ingested,
      raise: () => undefined,
      turns: openTurns(),
      ledgerRoom: openLedgerRoom(network.gateway),
      weightless: new Map(),
    }
    const { intents: waiting } = await till.platform.shown()
    const [batch] = await batchesOf(waiting.due('testnet', Number.MAX_SAFE_INTEGER), {
      each: 1,
      all: 1,
      operations: 100,
    })
    await makeOwnKeys(till.services, network, 'testnet')
    const [channel, payer] = await channels()
    const prepared = present(
      await done(async () =>
        prepare(
          outgoing,
          present(batch),
          { signer: await signerAt(channel), sequence: next, spendable: stroops(10_000_000n), bid: stroops(100n) },
          await signerAt(payer),
        ),
      ),
    )
    ours = prepared.ours
  })
  afterEach(() => till.close())

  const channels = async () => {
    const [first, second] = await channelAccounts(till.services, 'testnet')
    return [present(first), present(second)] as const
  }
  const signerAt = async (own: OwnAccount) => present(await signerOf(till.services, 'testnet', own, null))
  const walk = (at: Outgoing = outgoing): Promise<void> => done(() => advance(at, [], ours))
  const numberOf = async () => channelId((await channels())[0].account, next, 0)
  const events = () => till.typesOf(`stellartx-${ours.hash}`)
  const unsent = ['TransactionPrepared', 'TransactionWithdrawn', 'TransactionClosed']

  it('releases and sends a transaction that holds its account sequence and its intents', async () => {
    await walk()
    expect(await events()).toEqual(['TransactionPrepared', 'TransactionReleased'])
    expect(sent).toHaveLength(1)
    for (const id of intents) expect(await till.intent(id)).toMatchObject({ status: 'attached', attachedTo: ours.hash })
  })

  it('withdraws a transaction when another one holds one of its intents, and detaches the other intents', async () => {
    const [, taken] = intents
    const attach = { type: 'AttachIntent' as const, transactionHash: hashOf(9), operationIndex: indexOf(0) }
    const context = command(till.platform, till.merchantId)
    await done(execute(till.services.store)(Intent, present(taken), context, Intent.decider.decide(attach)))
    await walk()
    expect([await events(), sent]).toEqual([unsent, []])
    expect((await till.eventsOf(`stellartx-${ours.hash}`))[1]?.data).toEqual({ reason: 'intent_taken' })
    const [free] = intents
    expect(await till.intent(present(free))).toMatchObject({ status: 'waiting', attachedTo: null, attempts: 0 })
    expect(await till.intent(present(taken))).toMatchObject({ status: 'attached', attachedTo: hashOf(9) })
    expect(await till.typesOf(`channel-${await numberOf()}`)).toEqual(['SequenceTaken', 'SequenceFreed'])
  })

  it('withdraws a transaction when another one holds its account sequence, and attaches no intent', async () => {
    const take = Channel.decider.decide({ type: 'TakeSequence', transactionHash: hashOf(9) })
    await done(execute(till.services.store)(Channel, await numberOf(), command(till.platform, platform), take))
    await walk()
    expect([await events(), sent]).toEqual([unsent, []])
    expect((await till.eventsOf(`stellartx-${ours.hash}`))[1]?.data).toEqual({ reason: 'sequence_taken' })
    for (const id of intents) expect(await till.typesOf(`intent-${id}`)).toEqual(['IntentRecorded'])
  })

  it.each([
    [30 * secondMs, ['TransactionPrepared', 'TransactionReleased']],
    [30 * secondMs - 1_000, unsent],
  ])('with %i ms left, sends or withdraws a transaction', async (leftMs, types) => {
    const closedAt = unixMs(outgoing.ingested.closedAt + 2 * minuteMs - leftMs)
    await walk({ ...outgoing, ingested: { ...outgoing.ingested, closedAt } })
    expect(await events()).toEqual(types)
    expect(sent).toHaveLength(types === unsent ? 0 : 1)
  })

  it('never sends a withdrawn transaction, even from a process that read it earlier', async () => {
    await walk({
      ...outgoing,
      ingested: { ...outgoing.ingested, closedAt: unixMs(outgoing.ingested.closedAt + 3 * minuteMs) },
    })
    await walk()
    expect([await events(), sent]).toEqual([unsent, []])
  })
})
