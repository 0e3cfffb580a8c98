import { freezing } from '@quittance/billing/testing/internals'
import type { FreezeScope, FreezeState } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { PlantedBug } from '../stage.ts'

/** Acts as if the operator had not frozen this. */
const ignoring =
  (scope: FreezeScope): PlantedBug =>
  (services) => {
    const { freezing: real } = services
    const without = (state: FreezeState): FreezeState => ({
      ...state,
      inForce: state.inForce.filter((each) => each.scope !== scope),
    })
    return { ...services, freezing: { ...real, now: async () => E.map(without)(await real.now()) } }
  }

/** Reads what is frozen once, when the process starts. */
const readOnce: PlantedBug = (services) => {
  const { freezing: real } = services
  let first: ReturnType<typeof real.now> | null = null
  const now: typeof real.now = () => {
    first ??= real.now()
    return first
  }
  return { ...services, freezing: { ...real, now } }
}

/** Keeps freezes in the log alone. */
const keepInLog: PlantedBug = (services) => {
  const { store, clock, freshId, left } = services
  return { ...services, freezing: freezing(store, null, clock, freshId, left) }
}

/** Bugs in freezes, in each world with a freezer. */
export const freezeBugs: Readonly<Record<string, PlantedBug>> = {
  'frozen payouts are sent': ignoring('payouts'),
  'sales go on while they are frozen': ignoring('sales'),
  'what is frozen is read once': readOnce,
}

export const chargeFreezeBugs: Readonly<Record<string, PlantedBug>> = {
  'frozen charges are made': ignoring('charges'),
}

export const forgottenFreezeBugs: Readonly<Record<string, PlantedBug>> = {
  'a freeze is forgotten with the log': keepInLog,
}
