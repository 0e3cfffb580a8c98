import type { NewAnnouncement } from '@quittance/billing'
import { AccountId, AssetId, stroopsFromDecimal } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { type Command, option, type ParsedLine } from '../command.ts'
import { type CommandError, usageError } from '../command-error.ts'
import { table } from '../printing.ts'
import { environmentOption, forMerchant, merchantOption } from '../scope.ts'

const usualHours = 24
const mostHours = 720

export const settlementExpect: Command = {
  name: 'settlement expect',
  summary: "Announces a payment of the merchant's own to its settlement account.",
  explanation: `Announces one payment to a settlement account, such as a top-up from an exchange: it is booked as funding, never as a
sale, and is never returned. It must match the announcement exactly. The first payment that matches uses up the
announcement; a second one is treated as any other payment. Name the sender, or the asset and the amount. A payment with
the memo of a checkout still pays for that checkout.`,
  options: [
    merchantOption,
    environmentOption,
    option('--from <account>', 'The sender (G…); any unless given.'),
    option('--asset <asset>', 'native or CODE:ISSUER; any unless given, native with --amount.'),
    option('--amount <amount>', 'Units of the asset; any unless given.'),
    option('--for <hours>', `How long the payment is expected: 1 to ${mostHours} hours, ${usualHours} unless given.`),
  ],
  needsSoundLog: true,
  example: {
    words: '--environment mainnet --amount 25',
    prints: `funding  fnd_0350octnLi7Ud5KSrjAyiq
expires  2026-11-24T00:00:00.000Z`,
    json: '{"id":"fnd_0350octnLi7Ud5KSrjAyiq","status":"announced","amount":"25 XLM","expires_at":"2026-11-24T00:00:00.000Z",…}',
  },
  run: async (line, installation) => {
    const announcement = readAnnouncement(line)
    if (E.isLeft(announcement)) return announcement
    return forMerchant(line, installation, async ({ fundings }, context) => {
      const funding = await fundings.announce(context, announcement.right)()
      if (E.isLeft(funding)) return funding
      const { id, expires_at } = funding.right
      const rows = [
        ['funding', id],
        ['expires', expires_at ?? ''],
      ]
      return E.right({ status: 0, json: funding.right, text: table(rows) })
    })
  },
}

const readAnnouncement = (line: ParsedLine): E.Either<CommandError, NewAnnouncement> => {
  const wrong = (text: string) => E.left(usageError(text))
  const [from, amount, hours] = [line.option('from'), line.option('amount'), line.option('for')]
  const asset = line.option('asset') ?? (amount === null ? null : 'native')
  if (from !== null && !AccountId.is(from)) return wrong('--from takes an account: G and 55 more characters.')
  if (asset !== null && !AssetId.is(asset)) return wrong('--asset takes native or CODE:ISSUER.')
  const read = amount === null ? null : stroopsFromDecimal(amount)
  if (read !== null && (E.isLeft(read) || read.right === 0n))
    return wrong('--amount takes a positive decimal of at most 7 fraction digits, such as 25 or 0.5.')
  const length = Number(hours ?? usualHours)
  if (!Number.isInteger(length) || length < 1 || length > mostHours)
    return wrong(`--for takes whole hours from 1 to ${mostHours}.`)
  return E.right({ from, assetId: asset, amount: read === null ? null : read.right, hours: length })
}
