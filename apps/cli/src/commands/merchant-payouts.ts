import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Answer, table } from '../answer.ts'
import type { Command } from '../command.ts'
import { merchantOption, whichMerchant } from '../which-merchant.ts'
import { environmentOption, whichEnvironment } from './ledger-environment.ts'

const name = 'merchant payouts'
const most = 100

/** What a merchant has withdrawn. */
export const merchantPayouts: Command = {
  name,
  summary: "Lists a merchant's newest payouts.",
  explanation: `Lists the ${most} newest payouts, made by hand or by a schedule.`,
  options: [merchantOption, environmentOption],
  example: {
    words: '',
    prints: 'po_…  succeeded  25 XLM  G…',
    json: '[{"id":"po_…","object":"payout","status":"succeeded","asset_id":"native","amount":"25 XLM",…}]',
  },
  run: (given, site) => {
    const environment = whichEnvironment(given, name)
    if (E.isLeft(environment)) return TE.left(environment.left)
    return site.withBilling((billing) =>
      pipe(
        TE.fromEither(whichMerchant(billing, given.option('merchant'), name)),
        TE.chain((merchantId) =>
          TE.fromTask(billing.payouts.list({ merchantId, environment: environment.right, limit: most }, null)),
        ),
        TE.map(
          ({ resources }): Answer => ({
            status: 0,
            json: resources,
            text: table(resources.map(({ id, status, amount, destination }) => [id, status, amount, destination])),
          }),
        ),
      ),
    )
  },
}
