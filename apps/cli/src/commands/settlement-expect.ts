import type { NewAnnouncement } from '@quittance/billing'
import { AccountId, AssetId, stroopsFromDecimal } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Answer, table } from '../answer.ts'
import { type Command, type Given, option } from '../command.ts'
import { type Complaint, misuse } from '../complaint.ts'
import { complaintOf } from '../failures.ts'
import { operatorContext } from '../site.ts'
import { merchantOption, whichMerchant } from '../which-merchant.ts'
import { environmentOption, whichEnvironment } from './ledger-environment.ts'

const name = 'settlement expect'
const usualHours = 24
const mostHours = 720

/** Announces a payment of the merchant's own. */
export const settlementExpect: Command = {
  name,
  summary: "Announces a payment of the merchant's own to its settlement account.",
  explanation: `Announces one payment to a settlement account, such as a top-up from an exchange: it is booked as funding, never as a
sale, and is never returned. It must fit the announcement exactly. The first payment that fits uses the announcement up;
a second one is treated as a stranger's. Name the sender, or the asset and the amount. A payment with the memo of a
checkout pays for that checkout all the same.`,
  options: [
    merchantOption,
    environmentOption,
    option('--from <account>', 'Who sends it (G…); anybody unless given.'),
    option('--asset <asset>', 'native or CODE:ISSUER; any unless given, native with --amount.'),
    option('--amount <amount>', 'Units of the asset; any unless given.'),
    option('--for <hours>', `How long it is expected: 1 to ${mostHours}, ${usualHours} unless given.`),
  ],
  example: {
    words: '--environment mainnet --amount 25',
    prints: `funding  fnd_0350octnLi7Ud5KSrjAyiq
expires  2026-11-24T00:00:00.000Z`,
    json: '{"id":"fnd_0350octnLi7Ud5KSrjAyiq","status":"announced","amount":"25 XLM","expires_at":"2026-11-24T00:00:00.000Z",…}',
  },
  run: (given, site) => {
    const environment = whichEnvironment(given, name)
    if (E.isLeft(environment)) return TE.left(environment.left)
    const announcement = readAnnouncement(given)
    if (E.isLeft(announcement)) return TE.left(announcement.left)
    return site.withBilling((billing) =>
      pipe(
        TE.fromEither(whichMerchant(billing, given.option('merchant'), name)),
        TE.chain((merchantId) =>
          TE.mapLeft(complaintOf)(
            billing.fundings.announce(
              { ...operatorContext(billing, environment.right), merchantId },
              announcement.right,
            ),
          ),
        ),
        TE.map(
          (funding): Answer => ({
            status: 0,
            json: funding,
            text: table([
              ['funding', funding.id],
              ['expires', funding.expires_at ?? ''],
            ]),
          }),
        ),
      ),
    )
  },
}

const readAnnouncement = (given: Given): E.Either<Complaint, NewAnnouncement> => {
  const wrong = (text: string) => E.left(misuse(text, name))
  const [from, amount, hours] = [given.option('from'), given.option('amount'), given.option('for')]
  const asset = given.option('asset') ?? (amount === null ? null : 'native')
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
