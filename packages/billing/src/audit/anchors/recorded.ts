import { AnchorId, type Environment, IntentId, unixMs } from '@quittance/domain'
import type { Found, IntentRow, ReadModels } from '@quittance/projections'
import { countRun } from '../../kernel/count-run.ts'
import { createdId, derivedCommandId } from '../../kernel/derive.ts'

/** Ids of anchors name no time, because every process has to derive the same one. */
const timeless = unixMs(2)

/** What names the anchor of an environment with this number, counted from 0: two processes record the same one. */
export const anchorName = (environment: Environment, number: number) => {
  const cause = `${environment}/anchor ${number}`
  const commandId = derivedCommandId(environment, cause)
  return { cause, owner: createdId(AnchorId, timeless, commandId), intent: createdId(IntentId, timeless, commandId) }
}

/** An anchor of an environment, by its number. */
export type RecordedAnchor = { readonly number: number; readonly intent: Found<IntentRow> }

type Intents = Pick<ReadModels, 'intents'>

/** The anchor of an environment with a number; null where there are not so many. */
export const anchorWithNumber = async (
  { intents }: Intents,
  environment: Environment,
  number: number,
): Promise<RecordedAnchor | null> => {
  const intent = await intents.withId(anchorName(environment, number).intent)
  return intent === null ? null : { number, intent }
}

/** The newest anchor of an environment; null before the first. */
export const newestAnchor = async (readModels: Intents, environment: Environment): Promise<RecordedAnchor | null> => {
  const count = await countRun(async (number) => (await anchorWithNumber(readModels, environment, number)) !== null)
  return count === 0 ? null : anchorWithNumber(readModels, environment, count - 1)
}

/** All anchors of an environment, the newest first. */
export async function* anchorsOf(
  readModels: Intents,
  environment: Environment,
): AsyncGenerator<RecordedAnchor, undefined> {
  let found = await newestAnchor(readModels, environment)
  while (found !== null) {
    yield found
    found = found.number === 0 ? null : await anchorWithNumber(readModels, environment, found.number - 1)
  }
}
