import type { Fees, MerchantUsage, OwedFees, UsageLine } from '@quittance/billing'
import * as E from 'fp-ts/lib/Either.js'
import { type Command, option } from '../command.ts'
import { usageError } from '../command-error.ts'
import { counted, decimal, printable } from '../printing.ts'
import { readTime } from '../read-time.ts'
import { environmentOption, inEnvironment } from '../scope.ts'

export const usage: Command = {
  name: 'usage',
  summary: 'Shows what each merchant used, and what that cost on the ledger.',
  explanation: `Sums what each merchant sold, charged, refunded and paid out in a range of time, by asset, with the prices that were
recorded; and the fees of the transactions that this took, by whose account paid them. A transaction that several merchants
share is divided among its movements, to the stroop. The last line is the operator's own: rent, keys, accounts.`,
  options: [
    option('--from <time>', 'The beginning: 2026-11, 2026-11-23 or 2026-11-23T12:00Z (UTC). Unless given, all time.'),
    option('--to <time>', 'The end, which is not part of the range, in the same forms.'),
    environmentOption,
    option('--merchant <id>', 'Only this merchant.'),
  ],
  needsSoundLog: false,
  example: {
    words: '--from 2026-11 --to 2026-12',
    prints: `mer_… (Ada's books): 3 transactions; fees in XLM: 0.00003 by the operator, 0 by the merchant
  sales: 2 × 20 USDC:G… for 20 USD
  refunds: 1 × 10 USDC:G… for 10 USD
the operator's own: 1 transaction; fees in XLM: 0.0021 by the operator, 0 by the merchant`,
    json: `{"environment":"testnet","from":"2026-11-01T00:00:00.000Z","to":"2026-12-01T00:00:00.000Z",
  "usage":[{"merchant_id":"mer_…","name":"Ada's books","sales":[{"asset":"USDC:G…","count":2,"amount":"20",
  "currency":"USD","price":"20"}],"renewals":[],"refunds":[…],"payouts":[],
  "platform_fees":{"booked":[],"collected":[],"owed":[]},"transactions":3,
  "fees":{"operator":"0.00003","merchant":"0","others":"0"}},{"merchant_id":null,…}]}`,
  },
  run: async (line, installation) => {
    const [from, to] = [readTime(line.option('from')), readTime(line.option('to'))]
    if (from === undefined || to === undefined) {
      return E.left(usageError('--from and --to take 2026-11, 2026-11-23 or 2026-11-23T12:00Z.'))
    }
    if (from !== null && to !== null && from >= to) return E.left(usageError('--from must be before --to.'))
    return inEnvironment(line, installation, async (billing, { environment }) => {
      const found = await billing.usage({ environment, merchantId: line.option('merchant'), from, to })()
      if (E.isLeft(found)) return found
      const [begins, ends] = [from, to].map((at) => (at === null ? null : new Date(at).toISOString()))
      return E.right({
        status: 0,
        json: { environment, from: begins, to: ends, usage: found.right.map(jsonOf) },
        text: found.right.flatMap(textOf).map(printable).join('\n'),
      })
    })
  },
}

const units = (stroops: bigint): string => decimal(stroops, 7)

const lineJson = ({ assetId, currency, count, amount, cents }: UsageLine) => ({
  asset: assetId,
  count,
  amount: units(amount),
  currency,
  price: cents === null ? null : decimal(cents, 2),
})

const owedJson = ({ assetId, amount }: OwedFees) => ({
  asset: assetId,
  amount: amount < 0n ? `-${units(-amount)}` : units(amount),
})

const jsonOf = ({ merchantId, name, transactions, fees, platformFees, ...used }: MerchantUsage) => ({
  merchant_id: merchantId,
  name,
  sales: used.sales.map(lineJson),
  renewals: used.renewals.map(lineJson),
  refunds: used.refunds.map(lineJson),
  payouts: used.payouts.map(lineJson),
  platform_fees: {
    booked: platformFees.booked.map(lineJson),
    collected: platformFees.collected.map(lineJson),
    owed: platformFees.owed.map(owedJson),
  },
  transactions,
  fees: { operator: units(fees.operator), merchant: units(fees.merchant), others: units(fees.others) },
})

const textOf = (usage: MerchantUsage): ReadonlyArray<string> => {
  const { merchantId, name, transactions, fees, platformFees } = usage
  const who = merchantId === null ? "the operator's own" : `${merchantId} (${name})`
  const kinds = ['sales', 'renewals', 'refunds', 'payouts'] as const
  return [
    `${who}: ${counted(transactions, 'transaction')}; fees in XLM: ${feesText(fees)}`,
    ...kinds.flatMap((kind) => usage[kind].map((line) => `  ${kind}: ${lineText(line)}`)),
    ...platformFees.booked.map((line) => `  platform fees booked: ${lineText(line)}`),
    ...platformFees.collected.map((line) => `  platform fees collected: ${lineText(line)}`),
    ...platformFees.owed.map(owedJson).map(({ asset, amount }) => `  platform fees owed: ${amount} ${asset}`),
  ]
}

const feesText = ({ operator, merchant, others }: Fees): string => {
  const usual = `${units(operator)} by the operator, ${units(merchant)} by the merchant`
  return others === 0n ? usual : `${usual}, ${units(others)} by others`
}

const lineText = ({ assetId, currency, count, amount, cents }: UsageLine): string => {
  const price = cents === null ? '' : ` for ${decimal(cents, 2)} ${currency}`
  return `${count} × ${units(amount)} ${assetId}${price}`
}
