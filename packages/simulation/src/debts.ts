import type { Wallet } from '@quittance/billing/testing/wallets'
import { type AuthorizationId, stroops } from '@quittance/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Move } from './customers.ts'
import type { People } from './people.ts'
import type { Stage } from './stage.ts'

const percents = [100, 100, 100, 30, 70, 150, 1]

/** People who pay their invoices by hand, in parts, too much and too late; and who sign anew where they are asked to. */
export const debtsOn = (
  { draws, fixture, network, hand, handForNothing }: Stage,
  people: People,
): ReadonlyArray<Move> => {
  const { wallets, subscribed, walletOf, visit } = people
  const signed: Array<string> = []

  /** Of whoever ever owed: an invoice that is paid, or owed no more, is paid as well. */
  const invoice = () => {
    const all = subscribed().flatMap(({ state: { invoices, terms } }) =>
      invoices.map(({ invoice: { invoiceId } }) => ({ invoiceId, price: terms.price.cents * 100_000n })),
    )
    return all.length === 0 ? null : draws.oneOf(all)
  }
  const pay = (): void => {
    const owed = invoice()
    if (owed === null) return
    const parts = [stroops((owed.price * BigInt(draws.oneOf(percents))) / 100n)]
    const payment = { to: fixture.account, asset: network.usdc.assetId, parts, memo: owed.invoiceId }
    hand(draws.oneOf(wallets).signedPayment(payment, 0))
  }
  const payForNothing = (): void => {
    const [asset, percent] = [draws.oneOf([network.usdc, network.xlm]).assetId, draws.oneOf(percents)]
    const payment = { to: fixture.account, asset, parts: [stroops(100_000n * BigInt(percent))], memo: null }
    handForNothing(draws.oneOf(wallets).signedPayment({ ...payment, memo: draws.oneOf([null, 'hello']) }, 0))
  }
  /** Has a server build it, signs it, and has it sent. */
  const sign = (id: string, wallet: Wallet): void =>
    visit(`signing for ${id}`, ({ payer }) =>
      pipe(
        payer.transaction(id, wallet.account),
        TE.chainW(({ transaction_xdr }) => {
          const envelope = wallet.sign(transaction_xdr)
          signed.push(envelope)
          return payer.submit(id, envelope)
        }),
      ),
    )
  const payThere = (): void => {
    const owed = invoice()
    if (owed !== null) sign(owed.invoiceId, draws.oneOf(wallets))
  }
  const authorize = (): void => {
    const asked = subscribed().flatMap(({ state }): Array<{ id: AuthorizationId; wallet: Wallet }> => {
      const { requested } = state.authorization
      return requested === null ? [] : [{ id: requested.authorizationId, wallet: walletOf(state) }]
    })
    if (asked.length === 0) return
    const { id, wallet } = draws.oneOf(asked)
    sign(id, draws.onceIn(4) ? draws.oneOf(wallets) : wallet)
  }
  return [
    { name: 'an invoice is paid', weight: 5, act: pay },
    { name: 'an invoice is paid at its page', weight: 5, act: payThere },
    { name: 'a payment for nothing', weight: 1, act: payForNothing },
    { name: 'what was asked for is signed', weight: 8, act: authorize },
    { name: 'what was signed is sent again', weight: 2, act: () => signed.length > 0 && hand(draws.oneOf(signed)) },
  ]
}
