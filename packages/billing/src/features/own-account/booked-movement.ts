import type { ReadModels, Scope } from '@quittance/projections'
import { isIn } from '../../kernel/load.ts'
import { leftOverKey } from '../book-lines/left-over.ts'

/** The funding id of the movement that was booked for a change; null if there is none. */
export const bookedOwnMovement = async (
  { fundings }: Pick<ReadModels, 'fundings'>,
  scope: Scope,
  change: Parameters<typeof leftOverKey>[0],
): Promise<string | null> => {
  const key = leftOverKey(change)
  const found = (await fundings.withKey(change.transactionHash)).find(
    (each) => isIn(scope, each) && each.row.status === 'moved' && leftOverKey(each.row.movement) === key,
  )
  return found?.id ?? null
}
