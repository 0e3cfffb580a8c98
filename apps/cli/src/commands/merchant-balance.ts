import * as E from 'fp-ts/lib/Either.js'
import type { Command } from '../command.ts'
import { table } from '../printing.ts'
import { environmentOption, forMerchant, merchantOption } from '../scope.ts'

export const merchantBalance: Command = {
  name: 'merchant balance',
  summary: 'Shows how much a merchant can withdraw, by asset.',
  explanation: `Shows XLM and each accepted asset: the balance of the settlement account on the ledger, the amount that is available for
payouts, the amount that is held for refunds and returns, and the amount of payouts in flight.`,
  options: [merchantOption, environmentOption],
  needsSoundLog: false,
  example: {
    words: '',
    prints: 'USDC:G…  ledger 100, available 80, held 15, in flight 5',
    json: '[{"object":"balance","asset_id":"USDC:G…","code":"USDC","ledger":"100","available":"80","held":"15","in_flight":"5","platform_fees":"0","environment":"testnet"}]',
  },
  run: (line, installation) =>
    forMerchant(line, installation, async ({ payouts }, context) => {
      const balances = await payouts.balance(context)()
      if (E.isLeft(balances)) return balances
      const rows = balances.right.map(({ asset_id, ledger, available, held, in_flight, platform_fees }) => [
        asset_id,
        `ledger ${ledger}, available ${available}, held ${held}, in flight ${in_flight}${platform_fees === '0' ? '' : `, fees owed ${platform_fees}`}`,
      ])
      return E.right({ status: 0, json: balances.right, text: table(rows) })
    }),
}
