import { type Environment, type UnixMs, unixMs } from '@quittance/domain'
import type { ReadModels } from '@quittance/projections'

type Epochs = Pick<ReadModels, 'networkEpochs'>

/** How often the network of an environment was reset. */
export const resetsOf = async ({ networkEpochs }: Epochs, environment: Environment): Promise<number> =>
  (await networkEpochs.withId(environment))?.row.resets ?? 0

/** The present history of a network holds what closed later. */
export const epochBegan = async ({ networkEpochs }: Epochs, environment: Environment): Promise<UnixMs> =>
  (await networkEpochs.withId(environment))?.row.since ?? unixMs(0)
