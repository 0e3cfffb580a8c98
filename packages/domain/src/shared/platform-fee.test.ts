import * as fc from 'fast-check'
import { anyAsset, anyPlatformFee } from '../testing/arbitraries.ts'
import { decoded, native, start, usdc } from '../testing/examples.ts'
import { BasisPoints, feeAt, feeOf, type PlatformFeeDecision } from './platform-fee.ts'
import { maximumStroops, stroops } from './stroops.ts'
import { asText } from './text.ts'
import { unixMs } from './units.ts'

const points = (number: number): BasisPoints => decoded(BasisPoints, number)

describe('the fee of an amount', () => {
  it('is never more than the amount, and the share is rounded down', () =>
    fc.assert(
      fc.property(anyPlatformFee, anyAsset, fc.bigInt(0n, maximumStroops), (fee, asset, amount) => {
        const taken = feeOf(fee, asset, amount)
        expect(taken >= 0n && taken <= amount).toBe(true)
        const exact = amount * BigInt(fee.basisPoints)
        const share = feeOf({ ...fee, fixed: [] }, asset, amount)
        expect(share * 10_000n <= exact && exact - share * 10_000n < 10_000n).toBe(true)
      }),
    ))

  it.each([
    { basisPoints: 150, fixed: 0n, amount: 100_000_000n, fee: 1_500_000n, rule: 'a share' },
    { basisPoints: 150, fixed: 7n, amount: 66n, fee: 7n, rule: 'a share of less than a stroop, and a fixed amount' },
    { basisPoints: 1, fixed: 0n, amount: 9_999n, fee: 0n, rule: 'nothing below a stroop' },
    { basisPoints: 1, fixed: 0n, amount: 10_000n, fee: 1n, rule: 'a stroop' },
    { basisPoints: 0, fixed: 11n, amount: 10n, fee: 10n, rule: 'all of it where the fixed amount is more' },
    { basisPoints: 10_000, fixed: 5n, amount: 10n, fee: 10n, rule: 'all of it for the whole share' },
  ])('is $rule', ({ basisPoints, fixed, amount, fee }) => {
    const terms = { basisPoints: points(basisPoints), fixed: [{ assetId: usdc, amount: stroops(fixed) }] }
    expect(feeOf(terms, usdc, amount)).toBe(fee)
  })

  it('has no fixed part in other assets', () => {
    const terms = { basisPoints: points(0), fixed: [{ assetId: usdc, amount: stroops(5n) }] }
    expect(feeOf(terms, native, 10n)).toBe(0n)
  })
})

describe('the fee at a moment', () => {
  const decision = (basisPoints: number, from: number): PlatformFeeDecision => ({
    fee: { basisPoints: points(basisPoints), fixed: [] },
    from: unixMs(from),
    by: asText('Ada'),
    reason: asText('agreed'),
    setAt: start,
  })
  const decisions = [decision(100, start), decision(0, start + 10), decision(50, start + 20)]

  it.each([
    { at: -1, fee: null },
    { at: 0, fee: 100 },
    { at: 9, fee: 100 },
    { at: 10, fee: null },
    { at: 20, fee: 50 },
  ])('is $fee after $at ms', ({ at, fee }) =>
    expect(feeAt(decisions, unixMs(start + at))?.basisPoints ?? null).toBe(fee),
  )
})
