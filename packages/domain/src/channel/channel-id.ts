import { AccountSequence } from '../shared/account-sequence.ts'
import { AccountId } from '../shared/asset.ts'

const digits = 19

/** The name of one sequence number of an account; of one account, names sort as their numbers do. */
export const channelId = (account: AccountId, sequence: AccountSequence): string =>
  `${account}-${sequence.toString().padStart(digits, '0')}`

/** The account and the number that a name is made of. Throws a `RangeError` for a text that is none. */
export const channelOf = (id: string): { readonly account: AccountId; readonly sequence: AccountSequence } => {
  const [account, number = ''] = id.split('-')
  const sequence = /^[0-9]{19}$/.test(number) ? BigInt(number) : null
  if (AccountId.is(account) && AccountSequence.is(sequence)) return { account, sequence }
  throw new RangeError(`${id} names no sequence number of an account`)
}
