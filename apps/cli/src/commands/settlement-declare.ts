import { AccountId } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { type Command, option } from '../command.ts'
import { type CommandError, usageError } from '../command-error.ts'
import { environmentOption, forMerchant, merchantOption } from '../scope.ts'

const mostAccounts = 20

export const settlementDeclare: Command = {
  name: 'settlement declare',
  summary: 'Shows or sets the accounts that fund a settlement account.',
  explanation: `Payments from a declared account to the settlement account are the merchant's own money: they are booked as funding,
never as a sale, and are never returned. A payment with the memo of a checkout still pays for that checkout. Declare only
accounts that nobody else pays from; announce payments from an exchange with \`quittance settlement expect\`.
Without --accounts it shows the list.`,
  options: [
    merchantOption,
    environmentOption,
    option(
      '--accounts <G…,G…>',
      `The whole list, at most ${mostAccounts}, in place of the earlier one; none empties it.`,
    ),
  ],
  needsSoundLog: (line) => line.option('accounts') !== null,
  example: { words: '--accounts GFUNDS…', prints: 'GFUNDS…', json: '["GFUNDS…"]' },
  run: async (line, installation) => {
    const accounts = readAccounts(line.option('accounts'))
    if (E.isLeft(accounts)) return accounts
    return forMerchant(line, installation, async ({ fundings }, context) => {
      const declared =
        accounts.right === null
          ? E.right(await fundings.declared(context)())
          : await fundings.declare(context, accounts.right)()
      if (E.isLeft(declared)) return declared
      const text = declared.right.length === 0 ? 'No account is declared.' : declared.right.join('\n')
      return E.right({ status: 0, json: declared.right, text })
    })
  },
}

/** Null if the list is only shown. */
const readAccounts = (text: string | null): E.Either<CommandError, ReadonlyArray<AccountId> | null> => {
  if (text === null) return E.right(null)
  const named = text === 'none' ? [] : text.split(',').map((each) => each.trim())
  const accounts = named.filter((each) => AccountId.is(each))
  return accounts.length === named.length && named.length <= mostAccounts
    ? E.right(accounts)
    : E.left(usageError(`--accounts takes up to ${mostAccounts} accounts (G…), separated by commas, or none.`))
}
