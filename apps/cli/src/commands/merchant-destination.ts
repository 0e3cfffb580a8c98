import { Text } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { type Command, mandatoryOption, option } from '../command.ts'
import { usageError } from '../command-error.ts'
import { printable } from '../printing.ts'
import { environmentOption, forMerchant, merchantOption } from '../scope.ts'

export const merchantDestination: Command = {
  name: 'merchant destination',
  summary: 'Registers an address that a merchant may withdraw to.',
  explanation: `Registers an address. Payouts can go there after 24 hours, or once its owner has signed the challenge in the result
(POST /payout_destinations/{id}/verify). The merchant is notified at once. An address at an exchange needs its memo, or
begins with M.`,
  options: [
    merchantOption,
    environmentOption,
    mandatoryOption('--address <address>', 'G… or M….'),
    option('--memo <memo>', 'The memo of each payout.'),
    option('--memo-type <type>', 'The type of the memo.').choices(['text', 'id']).default('text'),
    option('--label <label>', 'A name for people.'),
  ],
  needsSoundLog: true,
  example: {
    words: '--address G… --label "our bank"',
    prints: 'pdst_… can be used from 2026-11-24T10:00:00.000Z on: G…',
    json: '{"id":"pdst_…","object":"payout_destination","status":"registered","address":"G…","via":"waiting","usable_from":"2026-11-24T10:00:00.000Z","challenge":{"transaction":"…","network_passphrase":"…"},…}',
  },
  run: async (line, installation) => {
    const label = line.option('label')
    if (label !== null && !Text.is(label)) return E.left(usageError('--label is not valid text.'))
    return forMerchant(line, installation, async ({ payouts }, context) => {
      const type = line.option('memo-type') === 'id' ? 'id' : 'text'
      const memo = payouts.readMemo(line.option('memo'), type)
      if (E.isLeft(memo)) return E.left(usageError('--memo is too long, not a number, or the id of a payout.'))
      const wanted = { address: line.required('address'), memo: memo.right, label }
      const made = await payouts.destinations.register(context, wanted)()
      if (E.isLeft(made)) return made
      const { id, usable_from, address } = made.right
      return E.right({
        status: 0,
        json: made.right,
        text: printable(`${id} can be used from ${usable_from} on: ${address}`),
      })
    })
  },
}
