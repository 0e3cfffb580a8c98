import * as E from 'fp-ts/lib/Either.js'
import type { Command } from '../command.ts'
import { table } from '../printing.ts'
import { environmentOption, forMerchant, merchantOption } from '../scope.ts'

const mostListed = 100

export const settlementFunding: Command = {
  name: 'settlement funding',
  summary: "Lists a merchant's funding: announced, and received.",
  explanation: `Lists the ${mostListed} newest announcements and payments of the merchant's own money. The reason says why a payment counts as
funding: opening (it created the account), own_account (it came from another account of this service), declared or
announced.`,
  options: [merchantOption, environmentOption],
  needsSoundLog: false,
  example: {
    words: '--environment mainnet',
    prints: `fnd_0350octnLi7Ud5KSrjAyiq  received  opening  25 XLM  2026-11-24T00:00:00.000Z`,
    json: '[{"id":"fnd_0350octnLi7Ud5KSrjAyiq","status":"received","reason":"opening","amount":"25 XLM",…}]',
  },
  run: (line, installation) =>
    forMerchant(line, installation, async ({ fundings }, { merchantId, environment }) => {
      const { resources } = await fundings.list({ merchantId, environment, limit: mostListed })()
      const rows = resources.map(({ id, status, reason, amount, created_at }) => [
        id,
        status,
        reason ?? '',
        amount ?? 'any amount',
        created_at,
      ])
      return E.right({
        status: 0,
        json: resources,
        text: rows.length === 0 ? 'There is no funding yet.' : table(rows),
      })
    }),
}
