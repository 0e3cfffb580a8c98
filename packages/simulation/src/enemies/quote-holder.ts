import type { QuoteView } from '@quittance/billing'
import { right } from '@quittance/billing/testing/outcomes'
import { options } from '@quittance/billing/testing/shop'
import { walletsOn } from '@quittance/billing/testing/wallets'
import { hourMs, minuteMs, secondMs, stroopsFromDecimal } from '@quittance/domain'
import { walletNumbers } from '../fixture.ts'
import type { Player } from '../player.ts'
import type { Request, Requests } from '../requests.ts'
import type { Stage } from '../stage.ts'

/** Percentages of the first rate: their differences are too small to count as jumps. */
const percents = [96, 100, 104]

/** Keeps quotes while the rate of XLM moves, and pays by them minutes or hours later. */
export const quoteHolder = ({ random, fixture, network, visit, submitDirectly }: Stage, { put }: Requests): Player => {
  const wallets = walletNumbers.map(walletsOn(network).again)
  const product = fixture.products.find(({ code }) => code === 'XLM')?.id ?? ''
  const sessions: Array<Request> = []
  const kept: Array<QuoteView> = []
  const keep = (): void => {
    const id = sessions.flatMap(({ answers }) => answers.slice(0, 1)).at(-1)
    if (id === undefined || random.onceIn(3)) {
      sessions.push(
        put(
          'a session with a quote to keep',
          ({ checkouts }, context) => checkouts.createForProduct(context, product, options()),
          (made) => made.id,
        ),
      )
      return
    }
    visit(
      `a quote for ${id} to keep`,
      ({ payer }) => payer.quote(id),
      (quote) => kept.push(quote),
    )
  }
  const pay = async (): Promise<void> => {
    if (kept.length === 0) return
    network.rates.moveTo(random.oneOf(percents), network.now())
    await network.wait(random.oneOf([5 * secondMs, 6 * minuteMs, 2 * hourMs]))
    const { destination, asset_id: asset, amount_due, memo } = random.oneOf(kept.slice(-3))
    const amount = right(stroopsFromDecimal(amount_due))
    if (amount === 0n) return
    submitDirectly(random.oneOf(wallets).signedPayment({ to: destination, asset, parts: [amount], memo }, 0))
  }
  return {
    moves: [
      { name: 'a quote is kept', weight: 20, act: keep },
      { name: 'a kept quote is paid', weight: 16, act: pay },
    ],
    rest: () => undefined,
    attend: () => undefined,
  }
}
