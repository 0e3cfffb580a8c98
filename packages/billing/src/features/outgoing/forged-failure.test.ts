import { asText, type IntentId, LedgerSequence, minuteMs, type TransactionHash } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { gatewayOver } from '@quittance/ledger'
import { underOtherHeader, withResults } from '@quittance/ledger/testing/ledger-nodes'
import { listen } from '@quittance/sandbox'
import { xdr } from '@stellar/stellar-sdk'
import { createBilling } from '../../face/billing.ts'
import { type Lie, startLyingNode } from '../../testing/lying-node.ts'
import { passphrase } from '../../testing/network.ts'
import { done, present, refused } from '../../testing/outcomes.ts'
import { command } from '../../testing/shop.ts'
import { openTill } from '../../testing/till.ts'
import { units } from '../../testing/wallets.ts'
import { createWorker } from '../../worker/worker.ts'

const underfunded = xdr.OperationResult.opInner(xdr.OperationResultTr.payment(xdr.PaymentResult.paymentUnderfunded()))
const allFailed = withResults(
  ({ feeCharged, ext }) =>
    new xdr.TransactionResult({ feeCharged, ext, result: xdr.TransactionResultResult.txFailed([underfunded]) }),
)

/** A till with a single node, which can be made to forge how the transactions of a ledger ended, header and all. */
const openDeceived = async () => {
  const till = await openTill()
  const lie: Lie = { of: null, told: (ledger) => underOtherHeader(allFailed(ledger)) }
  const honest = await listen(till.network.sandbox)
  const liar = await startLyingNode(honest.url, lie)
  const gateway = gatewayOver({ urls: [liar.url], networkPassphrase: passphrase, timeoutMs: 60_000 }, () => undefined)
  const testnet = { ...present(till.services.networks.testnet), gateway }
  const services = { ...till.services, networks: { testnet, mainnet: null } }
  const alarms: Array<unknown> = []
  const worker = present(
    createWorker(services, 'testnet', (halted) => alarms.push(halted), {
      onTrouble: (trouble) => alarms.push(trouble),
    }),
  )
  const close = async () => {
    await liar.stop()
    await honest.close()
    await till.close()
  }
  return { ...till, lie, alarms, worker, billing: createBilling(services), close }
}

describe('a failure that one node forges in the newest ledger', () => {
  let till: Awaited<ReturnType<typeof openDeceived>>
  let before: bigint
  let id: IntentId
  let hash: TransactionHash
  let forged: LedgerSequence
  beforeEach(async () => {
    till = await openDeceived()
    before = await till.balanceOf(till.payer.account)
    id = await till.want()
    await done(till.worker.step)
    hash = present((await till.intent(id)).attachedTo)
    till.network.wait(1_000)
    forged = decoded(LedgerSequence, till.network.sandbox.clock().ledger)
    till.lie.of = forged
    await done(till.worker.step)
  })
  afterEach(() => till.close())
  const paid = async () => (await till.balanceOf(till.payer.account)) - before
  const events = () => till.typesOf(`stellartx-${hash}`)
  const context = () => {
    const { merchantId: _, ...unnamed } = command(till.platform, '')
    return unnamed
  }
  const by = { by: asText('ada'), reason: asText('the node lied') }

  it('records a forged failure without acting on it before the next ledger, which halts ingestion, and pays once', async () => {
    expect(await events()).toEqual(['TransactionPrepared', 'TransactionReleased', 'TransactionFailed'])
    till.network.wait(1_000)
    expect(await refused(till.worker.step)).toMatchObject({ _tag: 'ChainBroken', sequence: forged + 1 })
    till.lie.of = null
    till.network.wait(3 * minuteMs)
    expect(await refused(till.worker.step)).toMatchObject({ _tag: 'ChainBroken' })
    expect(await till.intent(id)).toMatchObject({ status: 'attached', attachedTo: hash })
    expect(till.alarms).toMatchObject([{ _tag: 'ChainBroken' }, { _tag: 'LedgersUnread', ledger: 15 }])
    expect(await paid()).toBe(units(1))
  })

  it('ignores a forged failure after an operator has resumed ingestion and stated the outcome', async () => {
    till.network.wait(1_000)
    await refused(till.worker.step)
    till.lie.of = null
    till.network.wait(3 * minuteMs)
    const from = decoded(LedgerSequence, forged + 1)
    await done(till.billing.following.resume(context(), { ...by, from, isForced: false }))
    await done(till.worker.step)
    const contradicted = { _tag: 'OutcomeContradicted', transactionHash: hash, ledger: forged }
    expect(till.alarms).toMatchObject([{ _tag: 'ChainBroken' }, { _tag: 'LedgersUnread', ledger: 15 }, contradicted])
    expect(await till.intent(id)).toMatchObject({ status: 'attached', attachedTo: hash })
    const say = (said: Parameters<typeof till.billing.transactions.decide>[1]['said']) =>
      till.billing.transactions.decide(context(), { transactionHash: hash, said, ...by })
    const proven = { _tag: 'EndIsProven', as: 'succeeded', ledger: forged }
    expect(await refused(say({ as: 'failed' }))).toEqual(proven)
    expect(await refused(say({ as: 'succeeded', ledger: from }))).toEqual(proven)
    await done(say({ as: 'succeeded', ledger: forged }))
    till.network.wait(1_000)
    await done(till.worker.step)
    expect(await till.intent(id)).toMatchObject({ status: 'settled', end: { ledger: forged } })
    expect((await events()).slice(2)).toEqual(['TransactionFailed', 'TransactionDecided', 'TransactionClosed'])
    expect(await paid()).toBe(units(1))
  })
})
