import { asText, hourMs, LedgerSequence } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { gatewayOver } from '@quittance/ledger'
import { withoutChanges } from '@quittance/ledger/testing/ledger-nodes'
import { listen } from '@quittance/sandbox'
import { createBilling } from '../face/billing.ts'
import { type Lie, startLyingNode } from '../testing/lying-node.ts'
import { passphrase } from '../testing/network.ts'
import { done, present, refused } from '../testing/outcomes.ts'
import { command } from '../testing/shop.ts'
import { openStoreFront } from '../testing/store-front.ts'
import { units } from '../testing/wallets.ts'
import { createWorker } from '../worker/worker.ts'

/** A shop that asks two nodes, the second of which can be made to lie about a ledger. */
const openDoubtful = async () => {
  const shop = await openStoreFront()
  const lie: Lie = { of: null, told: withoutChanges }
  const honest = await listen(shop.network.sandbox)
  const liar = await startLyingNode(honest.url, lie)
  const nodes = { urls: [honest.url, liar.url], networkPassphrase: passphrase, timeoutMs: 60_000 }
  const testnet = { ...present(shop.services.networks.testnet), gateway: gatewayOver(nodes, () => undefined) }
  const services = { ...shop.services, networks: { ...shop.services.networks, testnet } }
  const worker = present(createWorker(services, 'testnet', () => undefined))
  const close = async () => {
    await liar.stop()
    await honest.close()
    await shop.close()
  }
  return { ...shop, lie, worker, billing: createBilling(services), step: () => done(worker.step), close }
}

describe('a ledger for which two nodes report different payments', () => {
  let shop: Awaited<ReturnType<typeof openDoubtful>>
  beforeEach(async () => {
    shop = await openDoubtful()
    await shop.step()
  })
  afterEach(() => shop.close())
  const latest = () => shop.network.sandbox.clock().ledger

  it('skips a disputed ledger on demand, and neither counts its payments nor records them as failed', async () => {
    const [relayed, later] = [await shop.sell(), await shop.sell()]
    const memo = await shop.memoOf(relayed.id)
    const paid = { to: shop.account, asset: shop.network.usdc.assetId, parts: [units(10)], memo }
    const maxTime = Math.floor(shop.network.now() / 1000) + 300
    await done(shop.billing.payer.submit(relayed.id, shop.payer.signedPayment(paid, maxTime)))
    shop.network.wait(1000)
    shop.lie.of = latest()
    const disputed = latest()
    expect(await refused(shop.worker.step)).toMatchObject({ _tag: 'NodesDisagree', sequence: disputed })

    const { merchantId: _, ...context } = command(shop.platform, '')
    const from = decoded(LedgerSequence, disputed + 1)
    const request = { from, by: asText('ada'), reason: asText('one of them lies'), isForced: false }
    const { resumption, uncounted } = await done(shop.billing.following.resume(context, request))
    expect(resumption).toMatchObject({
      halted: { reason: 'NodesDisagree', ledger: disputed },
      comparison: { differing: 1, differences: [{ counted: 0n, held: units(10) }] },
    })
    expect(uncounted).toEqual([])

    shop.other.pay({ ...paid, memo: later.id })
    await shop.step()
    await shop.step()
    expect(await shop.payment(later.id)).toMatchObject({ status: 'confirmed', amount: '10 USDC' })
    expect(await shop.payment(relayed.id)).toMatchObject({ status: 'pending' })
    const compared = await done(shop.billing.following.compare('testnet'))
    expect(compared.uncounted).toMatchObject([{ checkoutId: relayed.id, includedIn: disputed }])
    expect(compared.comparison.differing).toBe(1)

    shop.lie.of = null
    shop.network.wait(hourMs)
    await shop.step()
    expect(await shop.payment(relayed.id)).toMatchObject({ status: 'confirmed', amount: '10 USDC' })
    expect((await done(shop.billing.following.compare('testnet'))).comparison.differing).toBe(0)
  })
})
