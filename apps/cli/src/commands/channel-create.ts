import { decimalFromStroops } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Answer, table } from '../answer.ts'
import { type Command, mandatoryOption } from '../command.ts'
import { misuse } from '../complaint.ts'
import { complaintOf } from '../failures.ts'
import { environmentOption, whichEnvironment } from './ledger-environment.ts'

const name = 'channel create'
const mostChannels = 100

const isCount = (text: string): boolean => /^[1-9][0-9]{0,2}$/.test(text) && Number(text) <= mostChannels

/** Accounts through which money goes out. */
export const channelCreate: Command = {
  name,
  summary: 'Makes accounts through which money goes out.',
  explanation: `An account has one transaction in a ledger. Money goes out through channel accounts, as many transactions at once as
there are; without any, through each merchant's own account. This makes keys until there are as many as asked for, and
shows the accounts to fund with lumens: what an account holds pays fees, and one that is not on the ledger is not used.
Run again, it makes none and shows what they hold.`,
  options: [
    environmentOption,
    mandatoryOption('--count <count>', `How many there should be, at most ${mostChannels}.`),
  ],
  example: {
    words: '--environment mainnet --count 2',
    prints: `ACCOUNT                                                   LUMENS
GCHANNEL…                                                 25
GCHANNEL…                                                 not on the ledger`,
    json: '[{"account":"G…","balance":"25"},{"account":"G…","balance":null}]',
  },
  run: (given, site) => {
    const environment = whichEnvironment(given, name)
    if (E.isLeft(environment)) return TE.left(environment.left)
    const count = given.required('count')
    if (!isCount(count)) return TE.left(misuse(`--count takes a number from 1 to ${mostChannels}.`, name))
    return site.withBilling((billing) =>
      pipe(
        billing.channels.create(environment.right, Number(count)),
        TE.bimap(complaintOf, (made): Answer => {
          const found = made.map(({ account, balance }) => ({
            account,
            balance: balance === null ? null : decimalFromStroops(balance),
          }))
          const rows = found.map(({ account, balance }) => [account, balance ?? 'not on the ledger'])
          return { status: 0, json: found, text: table([['ACCOUNT', 'LUMENS'], ...rows]) }
        }),
      ),
    )
  },
}
