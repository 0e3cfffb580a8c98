import type { CollectedFees, PlatformFeeResource } from '@quittance/billing'
import { AssetId, BasisPoints, type PlatformFee, stroopsFromDecimal } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { type Command, type CommandResult, mandatoryOption, option } from '../command.ts'
import { usageError } from '../command-error.ts'
import { failureError } from '../failures.ts'
import { table } from '../printing.ts'
import { readTime } from '../read-time.ts'
import { environmentOption, forMerchant, inEnvironment, merchantOption } from '../scope.ts'
import { decisionOf, decisionOptions } from './decision.ts'

export const feeSet: Command = {
  name: 'fee set',
  summary: 'Sets what the operator takes of each sale and renewal of a merchant.',
  explanation: `The fee is a share of what was paid, rounded down, and a fixed amount in the assets that --fixed names; never more than
the payment. It counts for checkouts, invoices and charges that begin from then on. The merchant sees it in GET /merchant and
in each payment. 0 basis points without --fixed is no fee.`,
  options: [
    merchantOption,
    environmentOption,
    mandatoryOption('--basis-points <number>', 'Hundredths of a percent, from 0 to 10000.'),
    option('--fixed <asset=amount,…>', 'Fixed amounts, such as native=0.1,USDC:GISSUER…=0.25.'),
    option('--from <time>', 'From when on: 2026-12, 2026-12-24 or 2026-12-24T12:00Z (UTC). Now unless given.'),
    ...decisionOptions,
  ],
  needsSoundLog: true,
  example: {
    words: '--merchant mer_… --basis-points 150 --reason "the contract of May" --by Ada',
    prints: `FROM                      BASIS POINTS  FIXED  SET BY  REASON
2026-11-23T12:00:00.000Z  150           none   Ada     the contract of May`,
    json: '{"object":"platform_fee","merchant_id":"mer_…","environment":"testnet","platform_fee":{"basis_points":150,"fixed":[]},"next_platform_fee":null,"decisions":[…]}',
  },
  run: async (line, installation) => {
    const fee = readFee(line.required('basis-points'), line.option('fixed'))
    if (fee === null) {
      return E.left(usageError('--basis-points takes 0 to 10000, --fixed takes asset=amount,asset=amount.'))
    }
    const from = readTime(line.option('from'))
    if (from === undefined) return E.left(usageError('--from takes 2026-12, 2026-12-24 or 2026-12-24T12:00Z.'))
    const decision = decisionOf(line)
    if (E.isLeft(decision)) return decision
    return forMerchant(line, installation, async ({ platformFees }, context) =>
      E.map(resultOf)(await platformFees.set(context, { fee, from, ...decision.right })()),
    )
  },
}

export const feeShow: Command = {
  name: 'fee show',
  summary: 'Shows what the operator takes of the sales of a merchant, and who decided that.',
  explanation: 'Lists the decisions about the fee, the newest last.',
  options: [merchantOption, environmentOption],
  needsSoundLog: false,
  example: { words: '--merchant mer_…', prints: feeSet.example.prints, json: feeSet.example.json },
  run: (line, installation) =>
    forMerchant(line, installation, async ({ platformFees }, { merchantId, environment }) =>
      E.map(resultOf)(await platformFees.show({ merchantId, environment })()),
    ),
}

export const feeCollect: Command = {
  name: 'fee collect',
  summary: "Has merchants' settlement accounts pay the operator the fees that they owe.",
  explanation: `Requests a payment to QUITTANCE_TESTNET_FEE_ACCOUNT or QUITTANCE_MAINNET_FEE_ACCOUNT in each asset in which a merchant
owes at least --minimum. A running service sends it as it sends payouts: after refunds and returns, once, and not during a
freeze of payouts. What is on its way is not requested again.`,
  options: [
    option('--merchant <merchant_id>', 'Only this merchant; all merchants unless given.'),
    environmentOption,
    option('--minimum <amount>', 'In units of each asset.').default('0'),
  ],
  needsSoundLog: true,
  example: {
    words: '--minimum 5',
    prints: `MERCHANT  ASSET    AMOUNT   PAYOUT
mer_…     USDC:G…  15 USDC  po_…`,
    json: '{"environment":"testnet","collected":[{"merchant_id":"mer_…","asset":"USDC:G…","payout":{"id":"po_…","status":"pending","amount":"15 USDC",…},"error":null}]}',
  },
  run: async (line, installation) => {
    const minimum = stroopsFromDecimal(line.required('minimum'))
    if (E.isLeft(minimum)) return E.left(usageError('--minimum takes an amount such as 5 or 0.5.'))
    return inEnvironment(line, installation, async (billing, context) => {
      const wanted = line.option('merchant')
      const names = (await billing.merchants.names()).filter(
        ({ merchantId }) => wanted === null || merchantId === wanted,
      )
      if (wanted !== null && names.length === 0) return E.left({ _tag: 'MerchantNotFound' as const })
      const collected: Array<Collected> = []
      for (const { merchantId } of names) {
        const own = { ...context, merchantId, commandId: billing.freshId() }
        const done = await billing.payouts.collectFees(own, minimum.right)()
        // One merchant's trouble does not hold up the others.
        if (E.isRight(done)) collected.push(...done.right.map((each) => collectedOf(merchantId, each)))
        else if (done.left._tag === 'FeeAccountNotConfigured') return done
        else if (done.left._tag !== 'MerchantNotReady')
          collected.push({ merchant_id: merchantId, asset: null, payout: null, error: failureError(done.left).code })
      }
      return E.right({
        status: collected.some(({ error }) => error !== null) ? 1 : 0,
        json: { environment: context.environment, collected },
        text:
          collected.length === 0
            ? 'Nothing is owed.'
            : table([
                ['MERCHANT', 'ASSET', 'AMOUNT', 'PAYOUT'],
                ...collected.map(({ merchant_id, asset, payout, error }) => [
                  merchant_id,
                  asset ?? '',
                  payout?.amount ?? '',
                  payout?.id ?? `not requested: ${error}`,
                ]),
              ]),
      })
    })
  },
}

/** What became of the fees that a merchant owes in an asset. */
type Collected = {
  readonly merchant_id: string
  readonly asset: string | null
  readonly payout: { readonly id: string; readonly status: string; readonly amount: string } | null
  readonly error: string | null
}

const collectedOf = (merchant_id: string, fees: CollectedFees): Collected =>
  'payout' in fees
    ? { merchant_id, asset: fees.assetId, payout: fees.payout, error: null }
    : { merchant_id, asset: fees.assetId, payout: null, error: failureError(fees.refused).code }

/** Null for a text that is no fee. */
const readFee = (share: string, amounts: string | null): PlatformFee | null => {
  const basisPoints = /^\d{1,5}$/.test(share) ? Number(share) : -1
  if (!BasisPoints.is(basisPoints)) return null
  const fixed: Array<PlatformFee['fixed'][number]> = []
  for (const written of amounts === null ? [] : amounts.split(',')) {
    const [assetId, decimal = '', ...more] = written.trim().split('=')
    const amount = stroopsFromDecimal(decimal)
    if (!AssetId.is(assetId) || more.length > 0 || E.isLeft(amount) || amount.right === 0n) return null
    fixed.push({ assetId, amount: amount.right })
  }
  return { basisPoints, fixed }
}

const resultOf = (fee: PlatformFeeResource): CommandResult => ({
  status: 0,
  json: fee,
  text:
    fee.decisions.length === 0
      ? 'There is no fee.'
      : table([
          ['FROM', 'BASIS POINTS', 'FIXED', 'SET BY', 'REASON'],
          ...fee.decisions.map(({ from, basis_points, fixed, by, reason }) => [
            from,
            `${basis_points}`,
            fixed.map(({ asset_id, amount }) => `${amount} ${asset_id}`).join(', ') || 'none',
            by,
            reason,
          ]),
        ]),
})
