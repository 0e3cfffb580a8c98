import { maximumStroops, type Stroops, stroops } from '@quittance/domain'
import { type Rational, rational, roundedUp } from '../rates/rational.ts'

/** How volatile an asset may be while its payer signs; `other` has no rate of ours. */
export type PriceKind = 'pegged' | 'native' | 'other'

const SLIPPAGE: Readonly<Record<PriceKind, bigint>> = { pegged: 50n, native: 150n, other: 200n }
const DEVIATION = 300n

/** The slippage of the more volatile of the two, in basis points. */
export const slippageBetween = (send: PriceKind, destination: PriceKind): bigint =>
  SLIPPAGE[send] > SLIPPAGE[destination] ? SLIPPAGE[send] : SLIPPAGE[destination]

const raised = (amount: Rational, basisPoints: bigint): Stroops => {
  const most = roundedUp(amount.mul(10_000n + basisPoints, 10_000n))
  return stroops(most > maximumStroops ? maximumStroops : most)
}

/** The most that a payment may take: the found amount plus slippage, rounded up once to a whole stroop. */
export const sendMaxOf = (sendAmount: Stroops, slippageBasisPoints: bigint): Stroops =>
  raised(rational(sendAmount), slippageBasisPoints)

/** The highest amount that a path may ask for, in stroops: 3 % above the reference, rounded up. */
export const highestPrice = (reference: Rational): Stroops => raised(reference, DEVIATION)
