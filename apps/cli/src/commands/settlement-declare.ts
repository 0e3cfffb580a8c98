import { AccountId } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Answer } from '../answer.ts'
import { type Command, option } from '../command.ts'
import { type Complaint, misuse } from '../complaint.ts'
import { complaintOf } from '../failures.ts'
import { operatorContext } from '../site.ts'
import { merchantOption, whichMerchant } from '../which-merchant.ts'
import { environmentOption, whichEnvironment } from './ledger-environment.ts'

const name = 'settlement declare'
const mostAccounts = 20

/** The accounts that a merchant funds its settlement account from. */
export const settlementDeclare: Command = {
  name,
  summary: 'Shows or sets the accounts that fund a settlement account.',
  explanation: `What comes from a declared account to the settlement account is the merchant's own money: booked as funding, never as a
sale, and never returned. A payment with the memo of a checkout pays for that checkout all the same. Declare only
accounts that nobody else pays from: of an account of an exchange, announce the payment with \`settlement expect\`.
Without --accounts it shows the list.`,
  options: [
    merchantOption,
    environmentOption,
    option(
      '--accounts <G…,G…>',
      `The whole list, at most ${mostAccounts}, in the place of the one before; none empties it.`,
    ),
  ],
  example: { words: '--accounts GFUNDS…', prints: 'GFUNDS…', json: '["GFUNDS…"]' },
  run: (given, site) => {
    const environment = whichEnvironment(given, name)
    if (E.isLeft(environment)) return TE.left(environment.left)
    const accounts = readAccounts(given.option('accounts'))
    if (E.isLeft(accounts)) return TE.left(accounts.left)
    return site.withBilling((billing) =>
      pipe(
        TE.fromEither(whichMerchant(billing, given.option('merchant'), name)),
        TE.chain((merchantId) => {
          const context = { ...operatorContext(billing, environment.right), merchantId }
          return accounts.right === null
            ? TE.fromTask(billing.fundings.declared(context))
            : TE.mapLeft(complaintOf)(billing.fundings.declare(context, accounts.right))
        }),
        TE.map(
          (declared): Answer => ({
            status: 0,
            json: declared,
            text: declared.length === 0 ? 'No account is declared.' : declared.join('\n'),
          }),
        ),
      ),
    )
  },
}

/** Null where the list is only shown. */
const readAccounts = (text: string | null): E.Either<Complaint, ReadonlyArray<AccountId> | null> => {
  if (text === null) return E.right(null)
  const named = text === 'none' ? [] : text.split(',').map((each) => each.trim())
  const accounts = named.filter((each) => AccountId.is(each))
  return accounts.length === named.length && named.length <= mostAccounts
    ? E.right(accounts)
    : E.left(misuse(`--accounts takes up to ${mostAccounts} accounts (G…), with commas between them, or none.`, name))
}
