import * as t from 'io-ts'
import { AssetId } from './asset.ts'
import { brandedInteger } from './branded.ts'
import { strict } from './strict.ts'
import { Stroops, stroops } from './stroops.ts'
import { Text } from './text.ts'
import { UnixMs } from './units.ts'

/** Hundredths of a percent, up to the whole. */
export const BasisPoints = brandedInteger<{ readonly BasisPoints: symbol }>(
  'BasisPoints',
  (integer) => integer >= 0 && integer <= 10_000,
)
export type BasisPoints = t.TypeOf<typeof BasisPoints>

/** What the operator takes of each sale and renewal: a share, and a fixed amount in the assets that it names. */
export const PlatformFee = strict(
  { basisPoints: BasisPoints, fixed: t.readonlyArray(strict({ assetId: AssetId, amount: Stroops })) },
  'PlatformFee',
)
export type PlatformFee = t.TypeOf<typeof PlatformFee>

/** A decision about the fee: it counts for what is sold from `from` on, until another one counts. */
export const PlatformFeeDecision = strict(
  { fee: PlatformFee, from: UnixMs, by: Text, reason: Text, setAt: UnixMs },
  'PlatformFeeDecision',
)
export type PlatformFeeDecision = t.TypeOf<typeof PlatformFeeDecision>

/** The fee for what is sold at a moment, by decisions in the order of their `from`; null for none. */
export const feeAt = (decisions: ReadonlyArray<PlatformFeeDecision>, at: UnixMs): PlatformFee | null => {
  const fee = decisions.findLast(({ from }) => from <= at)?.fee
  return fee === undefined || (fee.basisPoints === 0 && fee.fixed.length === 0) ? null : fee
}

/** What a fee takes of an amount: rounded down to the stroop, and never more than the amount. */
export const feeOf = ({ basisPoints, fixed }: PlatformFee, assetId: AssetId, amount: bigint): Stroops => {
  const added = fixed.find((each) => each.assetId === assetId)?.amount ?? 0n
  const fee = (amount * BigInt(basisPoints)) / 10_000n + added
  return stroops(fee < amount ? fee : amount)
}
