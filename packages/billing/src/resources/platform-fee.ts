import { decimalFromStroops, feeAt, type PlatformFee, type PlatformFeeDecision, type UnixMs } from '@quittance/domain'
import { timestamp } from './fields.ts'

const terms = ({ basisPoints, fixed }: PlatformFee) => ({
  basis_points: Number(basisPoints),
  fixed: fixed.map(({ assetId, amount }) => ({ asset_id: assetId, amount: decimalFromStroops(amount) })),
})

/** What the operator takes of each sale at a moment, and from when on it takes something else. */
export const platformFeeFields = (decisions: ReadonlyArray<PlatformFeeDecision>, at: UnixMs) => {
  const fee = feeAt(decisions, at)
  const next = decisions.find(({ from }) => from > at)
  return {
    platform_fee: fee === null ? null : terms(fee),
    next_platform_fee: next === undefined ? null : { ...terms(next.fee), from: timestamp(next.from) },
  }
}

/** A decision, as the operator made it. */
export const decisionResource = ({ fee, from, by, reason, setAt }: PlatformFeeDecision) => ({
  ...terms(fee),
  from: timestamp(from),
  by,
  reason,
  set_at: timestamp(setAt),
})
