import type { Fixture } from '../fixture.ts'
import type { World } from '../fixtures.ts'
import { simulate } from '../simulate.ts'
import type { PlantedBug } from '../stage.ts'
import { chargingBugs } from './charging.ts'
import { floodBugs, marketBugs } from './flooding.ts'
import { chargeFreezeBugs, forgottenFreezeBugs, freezeBugs } from './freezing.ts'
import { ingestionBugs, lookUpBugs, namingBugs } from './ingestion.ts'
import { referenceBugs } from './naming.ts'
import { payoutBugs } from './paying-out.ts'
import { pricingBugs, quoteBugs } from './pricing.ts'
import { acceptingBug, repayingBug, restoringBugs } from './restoring.ts'
import { rotationBugs } from './rotating.ts'
import { sendingBugs } from './sending.ts'
import { feeBugs } from './taking-fees.ts'

/** Bugs that the simulation must find, by world. */
export const plantedBugs: Readonly<Record<World, Readonly<Record<string, PlantedBug>>>> = {
  shop: {
    ...ingestionBugs,
    ...sendingBugs,
    ...pricingBugs,
    ...referenceBugs,
    ...floodBugs,
    ...restoringBugs,
    ...rotationBugs,
    ...freezeBugs,
    ...forgottenFreezeBugs,
    ...feeBugs,
  },
  till: { ...payoutBugs, ...repayingBug, ...lookUpBugs, ...rotationBugs, ...freezeBugs },
  club: { ...chargingBugs, ...namingBugs, ...quoteBugs, ...acceptingBug, ...rotationBugs, ...chargeFreezeBugs },
  market: marketBugs,
}

/** The first seed, from 0 on or of those to try before, whose run breaks a rule with the planted bug; null if none does. */
export const seedThatFinds = async (
  fixture: Fixture,
  plant: PlantedBug,
  maxSeeds: number,
  before: ReadonlyArray<number> = [],
): Promise<number | null> => {
  for (const seed of [...before, ...Array(maxSeeds).keys()]) {
    const { broken } = await simulate(fixture, seed, plant)
    if (broken.length > 0) return seed
  }
  return null
}
