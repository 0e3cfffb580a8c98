import { Text } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Answer, printable } from '../answer.ts'
import { type Command, mandatoryOption, option } from '../command.ts'
import { misuse } from '../complaint.ts'
import { payoutComplaint } from '../payout-complaint.ts'
import { operatorContext } from '../site.ts'
import { merchantOption, whichMerchant } from '../which-merchant.ts'
import { environmentOption, whichEnvironment } from './ledger-environment.ts'

const name = 'merchant destination'

/** An address to withdraw to. */
export const merchantDestination: Command = {
  name,
  summary: 'Registers an address that a merchant may withdraw to.',
  explanation: `Registers an address. Payouts can go there after 24 hours, or once its owner has signed the challenge that is
given along (POST /payout_destinations/{id}/verify). The merchant is told of it at once. An address at an exchange
needs its memo, or begins with M.`,
  options: [
    merchantOption,
    environmentOption,
    mandatoryOption('--address <address>', 'G…, or M….'),
    option('--memo <memo>', 'Goes with each payout.'),
    option('--memo-type <type>', 'text (unless given) or id.'),
    option('--label <label>', 'For people.'),
  ],
  example: {
    words: '--address G… --label "our bank"',
    prints: 'pdst_… can be used from 2026-11-24T10:00:00.000Z on: G…',
    json: '{"id":"pdst_…","object":"payout_destination","status":"registered","address":"G…","via":"waiting","usable_from":"2026-11-24T10:00:00.000Z","challenge":{"transaction":"…","network_passphrase":"…"},…}',
  },
  run: (given, site) => {
    const environment = whichEnvironment(given, name)
    if (E.isLeft(environment)) return TE.left(environment.left)
    const type = given.option('memo-type') ?? 'text'
    if (type !== 'text' && type !== 'id') return TE.left(misuse('--memo-type takes text or id.', name))
    const label = given.option('label')
    if (label !== null && !Text.is(label)) return TE.left(misuse('--label is no text.', name))
    return site.withBilling((billing) => {
      const memo = billing.payouts.readMemo(given.option('memo'), type)
      if (E.isLeft(memo)) return TE.left(misuse('--memo is too long, or no number.', name))
      const wanted = { address: given.required('address'), memo: memo.right, label }
      return pipe(
        TE.fromEither(whichMerchant(billing, given.option('merchant'), name)),
        TE.chain((merchantId) => {
          const context = { ...operatorContext(billing, environment.right), merchantId }
          return TE.mapLeft(payoutComplaint)(billing.payouts.destinations.register(context, wanted))
        }),
        TE.map(
          (made): Answer => ({
            status: 0,
            json: made,
            text: printable(`${made.id} can be used from ${made.usable_from} on: ${made.address}`),
          }),
        ),
      )
    })
  },
}
