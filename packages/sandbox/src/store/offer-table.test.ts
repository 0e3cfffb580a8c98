import { openDatabase } from '@quittance/event-store/sqlite'
import { Asset, Operation } from '@stellar/stellar-sdk'
import { bookOf } from '../exchange/book.ts'
import { headerIn } from '../ledger/close-meta.ts'
import { openSandbox } from '../sandbox.ts'
import { accountEntry, funded, keyNumber, outcomeOf, signed, startMs, trustline } from '../testing/fixture.ts'
import { storeIn } from './index.ts'

const [seller, buyer, issuer] = [keyNumber(1), keyNumber(2), keyNumber(3)]
const native = Asset.native()
/** An asset that the market maker does not trade. */
const gold = new Asset('GOLD', issuer.publicKey())

const opened = async () => {
  const database = openDatabase(':memory:', { durability: 'full' })
  const open = () => openSandbox({ database, wallClock: () => startMs, passphrase: 'Sandbox under test' })
  const sandbox = open()
  await funded(sandbox, seller, buyer, issuer)
  for (const key of [seller, buyer]) {
    outcomeOf(sandbox, signed(sandbox, key, [Operation.changeTrust({ asset: gold })]))
    const give = Operation.payment({ destination: key.publicKey(), asset: gold, amount: '10000' })
    outcomeOf(sandbox, signed(sandbox, issuer, [give]))
  }
  const offer = (key: typeof seller, amount: string, price: string, selling = gold, buying = native) =>
    outcomeOf(sandbox, signed(sandbox, key, [Operation.manageSellOffer({ selling, buying, amount, price })]))
  return { database, open, offer, sandbox }
}

describe('the order books', () => {
  it('order books stay in price-time order and drop taken offers', async () => {
    const { database, offer, sandbox } = await opened()
    for (const price of ['3', '2', '2', '2.5']) expect(offer(seller, '10', price)).toBe('txSuccess')
    const book = bookOf(gold.toXdrObject(), native.toXdrObject())
    const { entries } = storeIn(database)
    const inOrder = () => {
      const seen: string[] = []
      for (;;) {
        const place = entries.firstOffer(book, (key) => seen.includes(key))
        if (place === undefined) return seen.map((key) => BigInt(`0x${key.slice(-16)}`))
        seen.push(place.key)
      }
    }
    expect(inOrder()).toEqual([8n, 9n, 10n, 7n])
    expect(entries.offersOf(seller.xdrAccountId()).length).toBe(4)
    expect(entries.askedFor(gold.toXdrObject()).map((each) => each.type)).toEqual(['assetTypeNative'])

    expect(offer(buyer, '45', '0.5', native, gold)).toBe('txSuccess')
    expect(inOrder()).toEqual([10n, 7n])
    expect(trustline(sandbox, buyer, gold).balance).toBe(100_200_000_000n)
    expect(accountEntry(sandbox, seller).numSubEntries).toBe(3)
  })

  it('order books survive a restart, and offer ids continue from the one in the header', async () => {
    const { database, offer, open } = await opened()
    offer(seller, '10', '2')
    const again = open()
    const more = Operation.manageSellOffer({ selling: gold, buying: native, amount: '1', price: '9' })
    expect(outcomeOf(again, signed(again, seller, [more]))).toBe('txSuccess')
    const { entries } = storeIn(database)
    expect(entries.lastId()).toBe(8n)
    const [latest] = again.read.ledgersFrom(again.clock().ledger, 1)
    expect(latest && headerIn(latest.meta).header.idPool).toBe(8n)
    const buying = Operation.manageBuyOffer({ selling: native, buying: gold, buyAmount: '5', price: '2' })
    expect(outcomeOf(again, signed(again, buyer, [buying]))).toBe('txSuccess')
    expect(trustline(again, buyer, gold).balance).toBe(100_050_000_000n)
  })

  it('a failed transaction leaves no offers and uses no offer ids', async () => {
    const { database, sandbox } = await opened()
    const offer = Operation.manageSellOffer({ selling: gold, buying: native, amount: '1', price: '9' })
    const broken = Operation.manageSellOffer({ selling: gold, buying: native, amount: '20000', price: '9' })
    const transaction = signed(sandbox, seller, [offer, broken], { fee: '200' })
    expect(outcomeOf(sandbox, transaction)).toBe('manageSellOfferUnderfunded')
    const { entries } = storeIn(database)
    expect(entries.offersOf(seller.xdrAccountId())).toEqual([])
    expect(entries.lastId()).toBe(6n)
  })
})
