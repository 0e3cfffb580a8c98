import { keyPairFromSeed } from '@quittance/ledger'
import { Operation } from '@stellar/stellar-sdk'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { subscribersOf } from '../../testing/subscribers.ts'
import { units, type Wallet } from '../../testing/wallets.ts'

/** As many signers as an account takes. */
const signers = Array.from({ length: 20 }, (_, number) =>
  Operation.setOptions({
    signer: { ed25519PublicKey: keyPairFromSeed(new Uint8Array(32).fill(100 + number)).accountId, weight: 1 },
  }),
)

describe('a customer whose entries grow between simulation and ledger', () => {
  let front: StoreFront
  beforeEach(async () => {
    front = await openStoreFront()
  })
  afterEach(() => front.close())

  it.each<[string, 'usdc' | 'xlm', number, (thief: Wallet) => void]>([
    [
      'the trustline, by an offer',
      'usdc',
      11,
      (thief) => thief.offer(front.network.usdc.assetId, units(1), front.network.eurc.assetId, 1),
    ],
    ['the account, by twenty signers', 'xlm', 80, (thief) => void front.wallets.act(thief.secret, signers)],
  ])('is charged with the others of the same call: %s', async (_, asset, cap, grow) => {
    const people = await subscribersOf(front, 0, front.network[asset].assetId)
    const thief = await front.wallets.wallet(3)
    const ids = [
      await people.subscribe(thief, { cap: units(cap) }),
      await people.subscribe(front.payer, { cap: units(cap) }),
    ]
    people.sleepADay()
    await front.step()
    // The ledger of the charges holds this, too.
    grow(thief)
    await front.step()
    await people.pass()
    for (const id of ids)
      expect(await people.now(id)).toMatchObject({
        covered: { kind: 'paid', n: 1 },
        attempts: [{ status: 'confirmed' }],
      })
    const rows = await (await front.platform.shown()).ledgerTransactions.all()
    expect([rows.length, front.worker.troubles()]).toEqual([1, []])
  })
})
