import * as E from 'fp-ts/lib/Either.js'
import { type Command, mandatoryOption, option } from '../command.ts'
import { usageError } from '../command-error.ts'
import { counted } from '../printing.ts'
import { environmentOption, forMerchant } from '../scope.ts'
import { decisionOf, decisionOptions } from './decision.ts'

const mostDays = 3_650

export const merchantClose: Command = {
  name: 'merchant close',
  summary: 'Closes a merchant for good: no sales, then refunds only, then everything is paid out.',
  explanation: `At once nothing is sold any more, and every subscription ends at the end of its period. For 90 days (--refund-days)
refunds go on. After that the merchant's keys only read, and what the settlement account has left is paid out once a day to
the destination, a registered one of --environment. Money that arrives later is paid out too. This cannot be undone. Run
it again if it was interrupted: it does only what is missing.`,
  options: [
    mandatoryOption('--merchant <merchant_id>', 'The merchant.'),
    mandatoryOption(
      '--destination <destination>',
      'Where the balance is paid to: the id or the address of a destination.',
    ),
    option('--refund-days <days>', `How long refunds go on, up to ${mostDays}.`).default('90'),
    ...decisionOptions,
    environmentOption,
  ],
  needsSoundLog: true,
  example: {
    words: '--merchant mer_… --destination pdst_… --environment mainnet --reason "the shop ends" --by Ada',
    prints:
      'mer_… sells nothing any more. 12 subscriptions end at the end of their periods. Refunds until 2027-02-21T09:12:31.000Z.',
    json: `{"merchant_id":"mer_…","refunds_until":"2027-02-21T09:12:31.000Z","changed":true,"canceled":12,
  "paid_out":["native","USDC:G…"],"by":"Ada","reason":"the shop ends"}`,
  },
  run: async (line, installation) => {
    const decision = decisionOf(line)
    if (E.isLeft(decision)) return decision
    const days = line.required('refund-days')
    if (!/^[0-9]{1,4}$/.test(days) || Number(days) > mostDays)
      return E.left(usageError(`--refund-days takes a number from 0 to ${mostDays}.`))
    const request = { destination: line.required('destination'), refundDays: Number(days), ...decision.right }
    return forMerchant(line, installation, async ({ closeMerchant }, context) => {
      const closed = await closeMerchant(context, request)()
      if (E.isLeft(closed)) return closed
      const { refundsUntil, isNew, canceled, assets } = closed.right
      const until = new Date(refundsUntil).toISOString()
      const { merchantId } = context
      return E.right({
        status: 0,
        json: {
          merchant_id: merchantId,
          refunds_until: until,
          changed: isNew,
          canceled,
          paid_out: assets,
          ...decision.right,
        },
        text: `${merchantId} sells nothing any more. ${counted(canceled, 'subscription')} end at the end of their periods. Refunds until ${until}.`,
      })
    })
  },
}
