import type { Billing } from '@quittance/billing'
import * as E from 'fp-ts/lib/Either.js'
import { option } from './command.ts'
import { type Complaint, misuse, refused } from './complaint.ts'
import { complaintOf } from './failures.ts'

export const merchantOption = option(
  '--merchant <merchant_id>',
  'Whose. May be left out while there is a single merchant.',
)

/** The id of the merchant that a line means: the one it names, or the only one there is. */
export const whichMerchant = (
  { merchants }: Billing,
  wanted: string | null,
  command: string,
): E.Either<Complaint, string> => {
  const ids = merchants.names().map(({ merchantId }) => merchantId)
  if (wanted !== null) return ids.includes(wanted) ? E.right(wanted) : E.left(complaintOf({ _tag: 'MerchantNotFound' }))
  const [first, ...others] = ids
  if (first === undefined) {
    return E.left(refused('no_merchant', 'There is no merchant yet. Make one: quittance merchant create --name <name>'))
  }
  if (others.length === 0) return E.right(first)
  return E.left(misuse(`There are ${ids.length} merchants: say which with --merchant <merchant_id>.`, command))
}
