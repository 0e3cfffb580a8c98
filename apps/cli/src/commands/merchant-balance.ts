import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Answer, table } from '../answer.ts'
import type { Command } from '../command.ts'
import { payoutComplaint } from '../payout-complaint.ts'
import { merchantOption, whichMerchant } from '../which-merchant.ts'
import { environmentOption, whichEnvironment } from './ledger-environment.ts'

const name = 'merchant balance'

/** What a merchant can withdraw. */
export const merchantBalance: Command = {
  name,
  summary: 'Shows what a merchant can withdraw, by asset.',
  explanation: `Shows of XLM and of each accepted asset what the settlement account holds on the ledger, what can be paid out, what is
held for refunds and returns, and what payouts that have not ended have claimed.`,
  options: [merchantOption, environmentOption],
  example: {
    words: '',
    prints: 'USDC:G…  ledger 100, available 80, held 15, in flight 5',
    json: '[{"object":"balance","asset_id":"USDC:G…","code":"USDC","ledger":"100","available":"80","held":"15","in_flight":"5","environment":"testnet"}]',
  },
  run: (given, site) => {
    const environment = whichEnvironment(given, name)
    if (E.isLeft(environment)) return TE.left(environment.left)
    return site.withBilling((billing) =>
      pipe(
        TE.fromEither(whichMerchant(billing, given.option('merchant'), name)),
        TE.chain((merchantId) =>
          TE.mapLeft(payoutComplaint)(billing.payouts.balance({ merchantId, environment: environment.right })),
        ),
        TE.map(
          (balances): Answer => ({
            status: 0,
            json: balances,
            text: table(
              balances.map(({ asset_id, ledger, available, held, in_flight }) => [
                asset_id,
                `ledger ${ledger}, available ${available}, held ${held}, in flight ${in_flight}`,
              ]),
            ),
          }),
        ),
      ),
    )
  },
}
