import { AccountSequence } from '../shared/account-sequence.ts'
import { AccountId } from '../shared/asset.ts'

const digits = 19

/**
 * Whose numbers these are: an account's, and after resets of its network (`epoch` counts them) those of the account that was
 * made anew.
 */
export const numberLine = (account: AccountId, epoch: number): string => (epoch === 0 ? account : `${account}.${epoch}`)

/** The name of one sequence number of an account; of one account, names sort as their numbers do. */
export const channelId = (account: AccountId, sequence: AccountSequence, epoch: number): string =>
  `${numberLine(account, epoch)}-${sequence.toString().padStart(digits, '0')}`

/** What a name is made of. Throws a `RangeError` for a text that is none. */
export const channelOf = (id: string): { readonly line: string; readonly sequence: AccountSequence } => {
  const [line = '', number = ''] = id.split('-')
  const sequence = /^[0-9]{19}$/.test(number) ? BigInt(number) : null
  const [account, epoch = '1'] = line.split('.')
  if (AccountId.is(account) && /^[1-9][0-9]*$/.test(epoch) && AccountSequence.is(sequence)) return { line, sequence }
  throw new RangeError(`${id} names no sequence number of an account`)
}
