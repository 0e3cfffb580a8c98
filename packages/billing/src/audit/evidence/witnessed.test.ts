import { createBilling } from '../../face/billing.ts'
import { done, present, right } from '../../testing/outcomes.ts'
import { openWitnessedShop, type WitnessedShop } from './testing/witnessed-shop.ts'
import { policyOf, verifyEvidence } from './verify-evidence.ts'

describe('evidence of a log that is cosigned and anchored', () => {
  let shop: WitnessedShop
  let payment: string
  beforeEach(async () => {
    shop = await openWitnessedShop()
    payment = await shop.paidSale()
    await shop.checkpoint()
  })
  afterEach(() => shop.close())

  const verified = (text: string, quorum = 1) =>
    right(verifyEvidence(text, right(policyOf(shop.logKeys(), quorum === 0 ? [] : [shop.witnessKey], quorum))))
  const evidence = async (of: string) => verified(await shop.evidence('payment', of))
  const anchoredSizes = async (of: string) => (await evidence(of)).anchors.map(({ logSize }) => logSize)
  /** The anchors of the shop, the oldest first. */
  const anchors = async () => (await done(shop.billing.anchors.list('testnet', 10))).toReversed()
  const sizes = async () => (await anchors()).map(({ checkpoint }) => BigInt(present(checkpoint.split('\n')[1])))

  it('holds the cosignatures of its checkpoint by witnesses that the operator names', async () => {
    const { cosigned, logSize } = await evidence(payment)
    expect(cosigned).toEqual([{ size: logSize, witness: 'witness.example', at: 1_800_000_000n }])
    const unaware = createBilling({ ...shop.services, witnessKeys: [] })
    expect(verified(await done(unaware.evidence(shop.scope, 'payment', payment)), 0).cosigned).toEqual([])
  })

  it('holds the anchor, of which its ledger says when it closed', async () => {
    await shop.anchor()
    await shop.checkpoint()
    const [anchor] = await anchors()
    const standing = present(anchor).standing
    if (standing._tag !== 'anchored') throw new Error(standing._tag)
    const { transactionHash, ledger, closedAt } = standing
    expect((await evidence(payment)).anchors).toEqual([
      {
        checkpoint: 0,
        network_passphrase: shop.network.gateway.networkPassphrase,
        transaction_hash: transactionHash,
        logSize: present((await sizes())[0]),
        ledger,
      },
    ])
    expect(await done(shop.network.gateway.lookUp(transactionHash))).toEqual({ _tag: 'Succeeded', ledger, closedAt })
  })

  it('holds the oldest anchor that covers all of it, else the newest one', async () => {
    await shop.anchor()
    const later = await shop.paidSale()
    await shop.checkpoint()
    await shop.anchor()
    const last = await shop.paidSale()
    await shop.checkpoint()
    const [first, second] = await sizes()
    expect([await anchoredSizes(payment), await anchoredSizes(later), await anchoredSizes(last)]).toEqual([
      [first],
      [second],
      [second],
    ])
  })

  it('lacks an anchor whose transaction came after its checkpoint', async () => {
    await shop.anchor()
    expect(await anchoredSizes(payment)).toEqual([])
  })

  it('lacks the anchors of a network that the environment had before', async () => {
    await shop.anchor()
    await shop.checkpoint()
    const network = shop.network.seen()
    const gateway = { ...network.gateway, networkPassphrase: 'Another network' }
    const moved = createBilling({ ...shop.services, networks: { testnet: { ...network, gateway }, mainnet: null } })
    expect(verified(await done(moved.evidence(shop.scope, 'payment', payment)), 0).anchors).toEqual([])
  })
})
