import { payableReference } from '@quittance/billing/testing/internals'
import type { Wallet } from '@quittance/billing/testing/wallets'
import { type AuthorizationId, stroops } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { Move } from './move.ts'
import type { People } from './people.ts'
import type { Stage } from './stage.ts'

const percents = [100, 100, 100, 30, 70, 150, 1]

/** Subscribers who pay invoices by hand: in parts, too much or too late; and who sign anew when asked. */
export const invoicePaymentMoves = (
  { random, fixture, network, faultFree, visit, submitDirectly, submitUnmatched }: Stage,
  people: People,
): ReadonlyArray<Move> => {
  const { wallets, subscribed, walletOf } = people
  const signed: Array<string> = []

  /** Any invoice of any subscription, even one that is paid or no longer owed. */
  const invoice = async () => {
    const all = (await subscribed()).flatMap(({ state: { invoices, terms } }) =>
      invoices.map(({ invoice: { invoiceId } }) => ({ invoiceId, price: terms.price.cents * 100_000n })),
    )
    return all.length === 0 ? null : random.oneOf(all)
  }
  const pay = async (): Promise<void> => {
    const owed = await invoice()
    if (owed === null) return
    const parts = [stroops((owed.price * BigInt(random.oneOf(percents))) / 100n)]
    const memo = await payableReference(faultFree, 'testnet', owed.invoiceId)
    const payment = { to: fixture.account, asset: network.usdc.assetId, parts, memo }
    submitDirectly(random.oneOf(wallets).signedPayment(payment, 0))
  }
  const payForNothing = (): void => {
    const [asset, percent] = [random.oneOf([network.usdc, network.xlm]).assetId, random.oneOf(percents)]
    const payment = { to: fixture.account, asset, parts: [stroops(100_000n * BigInt(percent))], memo: null }
    submitUnmatched(random.oneOf(wallets).signedPayment({ ...payment, memo: random.oneOf([null, 'hello']) }, 0))
  }
  /** Requests a transaction from a server, signs it and has the server submit it. */
  const sign = (id: string, wallet: Wallet): void =>
    visit(`signing for ${id}`, ({ payer }) => async () => {
      const built = await payer.transaction(id, wallet.account)()
      if (E.isLeft(built)) return built
      const envelope = wallet.sign(built.right.transaction_xdr)
      signed.push(envelope)
      return payer.submit(id, envelope)()
    })
  const payThere = async (): Promise<void> => {
    const owed = await invoice()
    if (owed !== null) sign(owed.invoiceId, random.oneOf(wallets))
  }
  const authorize = async (): Promise<void> => {
    const asked = (await subscribed()).flatMap(({ state }): Array<{ id: AuthorizationId; wallet: Wallet }> => {
      const { requested } = state.authorization
      return requested === null ? [] : [{ id: requested.authorizationId, wallet: walletOf(state) }]
    })
    if (asked.length === 0) return
    const { id, wallet } = random.oneOf(asked)
    sign(id, random.onceIn(4) ? random.oneOf(wallets) : wallet)
  }
  return [
    { name: 'an invoice is paid', weight: 5, act: pay },
    { name: 'an invoice is paid at its page', weight: 5, act: payThere },
    { name: 'a payment for nothing', weight: 1, act: payForNothing },
    { name: 'what was asked for is signed', weight: 8, act: authorize },
    {
      name: 'what was signed is sent again',
      weight: 2,
      act: () => signed.length > 0 && submitDirectly(random.oneOf(signed)),
    },
  ]
}
