import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Answer, table } from '../answer.ts'
import type { Command } from '../command.ts'
import { operatorContext } from '../site.ts'
import { merchantOption, whichMerchant } from '../which-merchant.ts'
import { environmentOption, whichEnvironment } from './ledger-environment.ts'

const name = 'settlement funding'
const mostShown = 100

/** Money of the merchant's own, announced or received. */
export const settlementFunding: Command = {
  name,
  summary: "Lists a merchant's funding: announced, and received.",
  explanation: `Lists money of the merchant's own, the newest ${mostShown}: what is announced, and what has come, with why it counts as
funding: opening (it created the account), own_account (it came from another account of this service), declared or
announced.`,
  options: [merchantOption, environmentOption],
  example: {
    words: '--environment mainnet',
    prints: `fnd_0350octnLi7Ud5KSrjAyiq  received  opening  25 XLM  2026-11-24T00:00:00.000Z`,
    json: '[{"id":"fnd_0350octnLi7Ud5KSrjAyiq","status":"received","reason":"opening","amount":"25 XLM",…}]',
  },
  run: (given, site) => {
    const environment = whichEnvironment(given, name)
    if (E.isLeft(environment)) return TE.left(environment.left)
    return site.withBilling((billing) =>
      pipe(
        TE.fromEither(whichMerchant(billing, given.option('merchant'), name)),
        TE.chainTaskK((merchantId) => {
          const scope = { ...operatorContext(billing, environment.right), merchantId }
          return billing.fundings.list({ ...scope, limit: mostShown })
        }),
        TE.map(({ resources }): Answer => {
          const rows = resources.map(({ id, status, reason, amount, created_at }) => [
            id,
            status,
            reason ?? '',
            amount ?? 'any amount',
            created_at,
          ])
          return { status: 0, json: resources, text: rows.length === 0 ? 'There is no funding yet.' : table(rows) }
        }),
      ),
    )
  },
}
