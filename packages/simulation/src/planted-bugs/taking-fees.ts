import { stroops } from '@quittance/domain'
import type { PlantedBug } from '../stage.ts'

/** Counts each fee twice. */
const bookTwice: PlantedBug = (services) => {
  const { bookedFees } = services.readModels
  const twice = {
    ...bookedFees,
    of: async (...asked: Parameters<typeof bookedFees.of>) =>
      (await bookedFees.of(...asked)).map((each) => ({ ...each, amount: stroops(2n * each.amount) })),
  }
  return { ...services, readModels: { ...services.readModels, bookedFees: twice } }
}

/** A bug in the operator's fees. */
export const feeBugs: Readonly<Record<string, PlantedBug>> = { 'a fee is collected twice': bookTwice }
