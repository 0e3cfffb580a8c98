import * as E from 'fp-ts/lib/Either.js'
import type { Command } from '../command.ts'
import { table } from '../printing.ts'
import { environmentOption, forMerchant, merchantOption } from '../scope.ts'

const mostListed = 100

export const merchantPayouts: Command = {
  name: 'merchant payouts',
  summary: "Lists a merchant's newest payouts.",
  explanation: `Lists the ${mostListed} newest payouts, manual and scheduled.`,
  options: [merchantOption, environmentOption],
  needsSoundLog: false,
  example: {
    words: '',
    prints: 'po_…  succeeded  25 XLM  G…',
    json: '[{"id":"po_…","object":"payout","status":"succeeded","asset_id":"native","amount":"25 XLM",…}]',
  },
  run: (line, installation) =>
    forMerchant(line, installation, async ({ payouts }, { merchantId, environment }) => {
      const { resources } = await payouts.list({ merchantId, environment, limit: mostListed }, null)()
      const rows = resources.map(({ id, status, amount, destination }) => [id, status, amount, destination])
      return E.right({ status: 0, json: resources, text: table(rows) })
    }),
}
