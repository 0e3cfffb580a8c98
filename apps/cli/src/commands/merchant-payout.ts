import type { Billing, CommandContext } from '@quittance/billing'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Answer, printable } from '../answer.ts'
import { type Command, type Given, option } from '../command.ts'
import { type Complaint, misuse } from '../complaint.ts'
import { payoutComplaint } from '../payout-complaint.ts'
import { operatorContext } from '../site.ts'
import { merchantOption, whichMerchant } from '../which-merchant.ts'
import { environmentOption, whichEnvironment } from './ledger-environment.ts'

const name = 'merchant payout'

/** Money that a merchant withdraws, or does not after all. */
export const merchantPayout: Command = {
  name,
  summary: 'Withdraws money to a registered destination, or cancels that.',
  explanation: `Asks for a payout as POST /payouts does; a worker sends it. The destination is one that was registered before
(\`quittance merchant destination\`). With --cancel it takes one back that is not on its way to the ledger.`,
  options: [
    merchantOption,
    environmentOption,
    option('--asset <asset>', 'native, or CODE:ISSUER.'),
    option('--amount <amount>', 'In units of the asset, or all.'),
    option('--destination <destination>', 'Its id (pdst_…) or its address.'),
    option('--cancel <payout_id>', 'Instead: the payout to be canceled.'),
  ],
  example: {
    words: '--asset native --amount all --destination pdst_0350octnLi7Ud5KSrjAyiq',
    prints: 'po_… is pending: 25 XLM to G…',
    json: '{"id":"po_…","object":"payout","status":"pending","asset_id":"native","amount":"25 XLM","destination":"G…",…}',
  },
  run: (given, site) => {
    const environment = whichEnvironment(given, name)
    if (E.isLeft(environment)) return TE.left(environment.left)
    return site.withBilling((billing) =>
      pipe(
        TE.fromEither(whichMerchant(billing, given.option('merchant'), name)),
        TE.chain((merchantId) => done(billing, { ...operatorContext(billing, environment.right), merchantId }, given)),
        TE.map(
          (payout): Answer => ({
            status: 0,
            json: payout,
            text: printable(`${payout.id} is ${payout.status}: ${payout.amount} to ${payout.destination}`),
          }),
        ),
      ),
    )
  },
}

const done = ({ payouts }: Billing, context: CommandContext, given: Given) => {
  const canceled = given.option('cancel')
  if (canceled !== null) return TE.mapLeft(payoutComplaint)(payouts.cancel(context, canceled))
  const [assetId, amount, destination] = [given.option('asset'), given.option('amount'), given.option('destination')]
  if (assetId === null || amount === null || destination === null)
    return TE.left(misuse('Say --asset, --amount and --destination, or --cancel.', name))
  const read = payouts.read({ assetId, amount, memo: null, memoType: null })
  if (E.isLeft(read)) return TE.left<Complaint>(misuse('--asset or --amount is none.', name))
  const wanted = { ...read.right, destination, mayChangeMemo: false, metadata: {} }
  return TE.mapLeft(payoutComplaint)(payouts.request(context, wanted))
}
