import { payableReference } from '@quittance/billing/testing/internals'
import { options } from '@quittance/billing/testing/shop'
import { type Wallet, walletsOn } from '@quittance/billing/testing/wallets'
import { type AssetId, CheckoutId, decimalFromStroops, type Stroops, stroops } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { type Code, priceOf, walletNumbers } from './fixture.ts'
import type { Move } from './move.ts'
import type { Request, Requests } from './requests.ts'
import type { Stage } from './stage.ts'

const codes: ReadonlyArray<Code> = ['USDC', 'XLM', 'EURC']
const percents = [100, 100, 100, 100, 30, 70, 101, 115, 150, 1]

type Sale = { readonly code: Code; readonly request: Request }

/** A merchant who sells, and customers who pay in every possible way. */
export const customerMoves = (stage: Stage, { put, send, requests }: Requests): ReadonlyArray<Move> => {
  const { random, fixture, network, faultFree, visit, submitDirectly, submitUnmatched } = stage
  const assetIds: Readonly<Record<Code, AssetId>> = {
    USDC: network.usdc.assetId,
    XLM: network.xlm.assetId,
    EURC: network.eurc.assetId,
  }
  const onNetwork = walletsOn(network)
  const wallets = walletNumbers.map(onNetwork.again)
  const sales: Array<Sale> = []
  const relayed: Array<{ readonly id: string; readonly envelope: string }> = []

  const wallet = (): Wallet => random.oneOf(wallets)
  const part = (code: Code): Stroops => stroops((priceOf[code] * BigInt(random.oneOf(percents))) / 100n)
  /** A session that a client knows. */
  const anySale = (): { readonly id: string; readonly code: Code } | null => {
    const known = sales.flatMap(({ code, request: { answers } }) => answers.slice(0, 1).map((id) => ({ id, code })))
    return known.length === 0 ? null : random.oneOf(known)
  }
  const payment = (code: Code, memo: string | null) => {
    const parts = random.onceIn(4) ? [part(code), part(code)] : [part(code)]
    return { to: fixture.account, asset: assetIds[code], parts, memo }
  }
  /** What the session asks for; customers know it even if the log has lost the session. */
  const memoOf = async (id: string): Promise<string> => {
    const found = await faultFree.readModels.checkouts.withId(id)
    return found === null
      ? payableReference(faultFree, 'testnet', decoded(CheckoutId, id))
      : (found.row.details.reference ?? id)
  }
  const relay = ({ id, envelope }: (typeof relayed)[number]): void =>
    visit(`relaying for ${id}`, (billing) => billing.payer.submit(id, envelope))

  const sell = (): void => {
    const wanted = options({ id: null, email: random.oneOf([null, null, 'a@b.c']), phone: null })
    const code = random.oneOf(codes)
    const isDirect = random.onceIn(2)
    const product = fixture.products.find((each) => each.code === code)?.id ?? ''
    const price = { amount: decimalFromStroops(stroops(priceOf[code])), amountCents: null }
    const request = put(
      'a session',
      ({ checkouts }, context) =>
        isDirect
          ? checkouts.createDirect(context, price, assetIds[code], wanted)
          : checkouts.createForProduct(context, product, wanted),
      ({ id }) => id,
    )
    sales.push({ code, request })
  }

  return [
    { name: 'a sale', weight: 4, act: sell },
    {
      name: 'a payment',
      weight: 6,
      act: async () => {
        const sale = anySale()
        if (sale === null) return sell()
        const code = random.onceIn(8) ? random.oneOf(codes) : sale.code
        submitDirectly(wallet().signedPayment(payment(code, await memoOf(sale.id)), 0))
      },
    },
    {
      name: 'a payment for nothing',
      weight: 1,
      act: () =>
        submitUnmatched(wallet().signedPayment(payment(random.oneOf(codes), random.oneOf([null, 'hello'])), 0)),
    },
    {
      name: 'a payment through the service',
      weight: 4,
      act: async () => {
        const sale = anySale()
        if (sale === null) return sell()
        const maxTime = Math.floor(network.now() / 1000) + random.oneOf([5, 300])
        const one = {
          id: sale.id,
          envelope: wallet().signedPayment(payment(sale.code, await memoOf(sale.id)), maxTime),
        }
        relayed.push(one)
        relay(one)
      },
    },
    { name: 'the same payment again', weight: 2, act: () => relayed.length > 0 && relay(random.oneOf(relayed)) },
    { name: 'a quote', weight: 1, act: () => visit('a quote', ({ payer }) => payer.quote(anySale()?.id ?? '')) },
    {
      name: 'a session ends',
      weight: 1,
      act: () => {
        const id = anySale()?.id
        if (id === undefined) return
        put(`the end of ${id}`, ({ checkouts }, context) => checkouts.expire(context, id))
      },
    },
    { name: 'a request again', weight: 2, act: () => requests.length > 0 && send(random.oneOf(requests)) },
  ]
}
